import { z } from 'zod';
import { defaultAsyncInvokeConfig } from '../lambda/async-invocations.ts';
import { type CreateResource, physicalName } from '../template/deploy-stack.ts';
import { inert, readProperties, wholeNumber } from './properties.ts';
import type { Runtime } from './runtime.ts';

const schema = z.strictObject({
  FunctionName: z.string(),
  MaximumEventAgeInSeconds: wholeNumber
    .min(60)
    .max(21_600)
    .default(defaultAsyncInvokeConfig.maximumEventAgeSeconds),
  MaximumRetryAttempts: wholeNumber.min(0).max(2).default(defaultAsyncInvokeConfig.maximumRetryAttempts),
  Qualifier: inert,
});

/** How a function's asynchronous invocations are tried again. */
export function eventInvokeConfigCreator({
  functions,
  asyncInvocations,
}: Pick<Runtime, 'asyncInvocations' | 'functions'>): CreateResource {
  return async (request) => {
    const { FunctionName, MaximumEventAgeInSeconds, MaximumRetryAttempts } = readProperties(schema, request);
    asyncInvocations.configure(functions.find(FunctionName).definition.name, {
      maximumEventAgeSeconds: MaximumEventAgeInSeconds,
      maximumRetryAttempts: MaximumRetryAttempts,
    });
    return { ref: physicalName(request, 255) };
  };
}
