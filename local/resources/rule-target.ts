import { z } from 'zod';
import { defaultRetryPolicy, type RuleTarget } from '../event-bridge/delivery.ts';
import { type TargetPayload, TargetPayloadError, targetPayload } from '../event-bridge/target-payload.ts';
import { sendToQueue, type TargetServices, targetSender } from '../event-bridge/target-sender.ts';
import { TemplateError } from '../template/template.ts';
import { inert, wholeNumber } from './properties.ts';

/** A target of a rule, as a template has it. */
export const ruleTargetSchema = z.strictObject({
  Arn: z.string(),
  Id: z.string(),
  /** JSON; the target gets it in place of the event. */
  Input: z.string().optional(),
  InputPath: z.string().optional(),
  RetryPolicy: z
    .strictObject({
      MaximumRetryAttempts: wholeNumber.min(0).max(185).default(defaultRetryPolicy.maximumRetryAttempts),
      MaximumEventAgeInSeconds: wholeNumber
        .min(60)
        .max(86_400)
        .default(defaultRetryPolicy.maximumEventAgeSeconds),
    })
    .optional(),
  DeadLetterConfig: z.strictObject({ Arn: z.string() }).optional(),
  RoleArn: inert,
});

type RuleTargetProperties = z.output<typeof ruleTargetSchema>;

/** @throws TemplateError for a target that is no function, queue or topic, or a function that there is not */
export function ruleTarget(properties: RuleTargetProperties, services: TargetServices): RuleTarget {
  const { Arn, Id, RetryPolicy, DeadLetterConfig } = properties;
  const send = targetSender(services, Arn);
  if (!send) {
    throw new TemplateError(
      `a target other than a function, queue or topic is not supported on one machine: ${Arn}`,
    );
  }
  if (Arn.includes(':lambda:')) services.functions.find(Arn);
  return {
    id: Id,
    arn: Arn,
    payload: payloadOf(properties),
    send,
    retryPolicy: RetryPolicy
      ? {
          maximumRetryAttempts: RetryPolicy.MaximumRetryAttempts,
          maximumEventAgeSeconds: RetryPolicy.MaximumEventAgeInSeconds,
        }
      : defaultRetryPolicy,
    ...(DeadLetterConfig && {
      deadLetters: {
        arn: DeadLetterConfig.Arn,
        put: (body, attributes) => sendToQueue(services, DeadLetterConfig.Arn, body, attributes),
      },
    }),
  };
}

/** @throws TemplateError */
export function payloadOf({
  Input,
  InputPath,
}: Pick<RuleTargetProperties, 'Input' | 'InputPath'>): TargetPayload {
  try {
    return targetPayload(Input, InputPath);
  } catch (error) {
    if (error instanceof TargetPayloadError) throw new TemplateError(error.message);
    throw error;
  }
}
