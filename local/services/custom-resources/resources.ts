import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { arnOf } from '../../aws-protocol/call.ts';
import { loopbackUrl } from '../../aws-protocol/http.ts';
import type { CreateResource, ResourceRequest } from '../../cloudformation/deploy-stack.ts';
import { readProperties, wholeNumber } from '../../cloudformation/properties.ts';
import { TemplateError } from '../../cloudformation/template.ts';
import type { Outcome } from '../../function-hosts/protocol.ts';
import type { RunningService, ServiceRun } from '../definition/define-service.ts';
import type { FunctionRegistry } from '../lambda/functions.ts';
import { type CustomResourceResponse, ResponseInbox } from './responses.ts';

export function startCustomResources(run: ServiceRun, functions: FunctionRegistry) {
  const responses = new ResponseInbox(loopbackUrl(run.ports.aws));
  return {
    routes: responses.routes,
    resources: { 'AWS::CloudFormation::CustomResource': customResourceCreator(functions, responses) },
  } satisfies RunningService;
}

/** CloudFormation's own limit, for templates without one. */
const DEFAULT_TIMEOUT_SECONDS = 3600;

const schema = z.looseObject({
  ServiceToken: z.string(),
  ServiceTimeout: wholeNumber.default(DEFAULT_TIMEOUT_SECONDS),
});

/** A custom resource's function reported a failure or did not answer; the message is the reason. */
export class CustomResourceError extends Error {
  override readonly name = 'CustomResourceError';
}

/** A custom resource is created by its function's answer to a `Create` event. */
export function customResourceCreator(functions: FunctionRegistry, responses: ResponseInbox): CreateResource {
  return async (request) => {
    const { ServiceToken, ServiceTimeout } = readProperties(schema, request);
    if (!ServiceToken.includes(':lambda:')) {
      throw new TemplateError(`a ServiceToken other than a function's ARN is not supported: ${ServiceToken}`);
    }
    const { url, response } = responses.open();
    const answer = await firstAnswer(
      response,
      functions.find(ServiceToken).pool.invoke(createEvent(request, url)),
      ServiceTimeout,
    );
    if (answer.Status === 'FAILED') throw new CustomResourceError(answer.Reason ?? 'no reason given');
    return { ref: answer.PhysicalResourceId ?? request.logicalId, attributes: answer.Data ?? {} };
  };
}

function createEvent(request: ResourceRequest, responseUrl: string): object {
  const { stack, logicalId, type, properties } = request;
  return {
    RequestType: 'Create',
    ServiceToken: properties.ServiceToken,
    ResponseURL: responseUrl,
    StackId: arnOf('cloudformation', `stack/${stack.name}/${randomUUID()}`),
    RequestId: randomUUID(),
    ResourceType: type,
    LogicalResourceId: logicalId,
    ResourceProperties: asText(properties),
  };
}

/** Resolves with the function's answer. Rejects if the function fails or does not answer in time. */
async function firstAnswer(
  response: Promise<CustomResourceResponse>,
  invocation: Promise<Outcome>,
  timeoutSeconds: number,
): Promise<CustomResourceResponse> {
  const failed = invocation.then((outcome) => {
    // A function that returned may still answer by other means; only an error ends the wait.
    return outcome.kind === 'ok'
      ? response
      : Promise.reject(new CustomResourceError(outcome.error.errorMessage));
  });
  const aborter = new AbortController();
  const timeout = delay(timeoutSeconds * 1000, undefined, { signal: aborter.signal }).then(() =>
    Promise.reject(new CustomResourceError(`no answer within ${timeoutSeconds} s`)),
  );
  timeout.catch(() => {});
  failed.catch(() => {});
  try {
    return await Promise.race([response, failed, timeout]);
  } finally {
    aborter.abort();
  }
}

/** CloudFormation turns all numbers and booleans of the properties into text. */
function asText(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map(asText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, asText(item)]));
}
