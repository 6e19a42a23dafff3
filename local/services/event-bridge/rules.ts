import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { ACCOUNT, REGION } from '../../aws-protocol/call.ts';
import { type CreateResource, physicalName } from '../../cloudformation/deploy-stack.ts';
import {
  inert,
  NotOnOneMachine,
  readProperties,
  TemplateError,
  wholeNumber,
} from '../../cloudformation/template.ts';
import { compilePattern } from '../../event-patterns/compile-pattern.ts';
import { PatternError } from '../../event-patterns/value-patterns.ts';
import { sendToQueue, type TargetServices, targetSender } from '../lambda/senders.ts';
import type { EventBridge } from './api.ts';
import { defaultRetryPolicy, type RuleTarget } from './delivery.ts';
import { type BusRule, ruleArn } from './event-bus.ts';
import { type Envelope, envelopeTime } from './events.ts';
import { type Repeat, rateIntervalMs, repeatByTimer, type Schedule } from './schedule.ts';
import { type TargetPayload, TargetPayloadError, targetPayload } from './targets.ts';

/**
 * Compiles a template's EventPattern.
 *
 * @throws NotOnOneMachine for what is not supported on one machine
 */
export function eventMatcher(pattern: unknown): (event: unknown) => boolean {
  try {
    return compilePattern(pattern);
  } catch (error) {
    if (error instanceof PatternError) throw new NotOnOneMachine(`EventPattern: ${error.message}`);
    throw error;
  }
}

/** A target of a rule, as a template has it. */
const ruleTargetSchema = z.strictObject({
  Arn: z.string(),
  Id: z.string(),
  /** JSON that the target receives instead of the event. */
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
  InputTransformer: z.unknown().optional(),
  SqsParameters: z.strictObject({ MessageGroupId: z.string() }).optional(),
  RoleArn: inert,
});

type RuleTargetProperties = z.output<typeof ruleTargetSchema>;

/** @throws NotOnOneMachine for a target that is not a function, queue or topic, or a function that does not run here */
function ruleTarget(properties: RuleTargetProperties, services: TargetServices): RuleTarget {
  const { Arn, Id, RetryPolicy, DeadLetterConfig, InputTransformer, SqsParameters } = properties;
  if (InputTransformer !== undefined) throw new NotOnOneMachine('an InputTransformer is not supported');
  if (Arn.endsWith('.fifo') && SqsParameters === undefined)
    throw new NotOnOneMachine('a FIFO queue needs SqsParameters.MessageGroupId, also in AWS');
  const send = targetSender(services, Arn, SqsParameters?.MessageGroupId);
  if (!send) {
    throw new NotOnOneMachine('only functions, queues and topics receive events on one machine');
  }
  if (Arn.includes(':lambda:')) services.functions.inTemplate(Arn);
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
function payloadOf({ Input, InputPath }: Pick<RuleTargetProperties, 'Input' | 'InputPath'>): TargetPayload {
  try {
    return targetPayload(Input, InputPath);
  } catch (error) {
    if (error instanceof TargetPayloadError) throw new TemplateError(error.message);
    throw error;
  }
}

const schema = z.strictObject({
  Name: z.string().optional(),
  EventBusName: z.string().optional(),
  ScheduleExpression: z.string().optional(),
  EventPattern: z.record(z.string(), z.unknown()).optional(),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  Targets: z.array(ruleTargetSchema).default([]),
  Description: z.string().optional(),
  RoleArn: inert,
  Tags: inert,
});

/** The parts of a run that rules use. */
interface RuleParts extends TargetServices {
  readonly eventBridge: EventBridge;
  /** Schedules are added here when they start. */
  readonly schedules: Schedule[];
  /** Shows a line at the terminal. */
  note(line: string): void;
}

/**
 * Makes a rule. A rule with a pattern sends the matching events of a bus to functions, queues and topics. A rule with a schedule invokes functions
 * at a rate, the first time after one interval. Scheduled invocations may overlap. A failed one is noted and not retried.
 */
export function ruleCreator(run: RuleParts, repeat: Repeat = repeatByTimer): CreateResource {
  return async (request) => {
    const properties = readProperties(schema, request);
    const { EventPattern, ScheduleExpression, Targets } = properties;
    if ((EventPattern === undefined) === (ScheduleExpression === undefined)) {
      throw new TemplateError('expected an EventPattern or a ScheduleExpression, and not both');
    }
    const bus = run.eventBridge.buses.find(properties.EventBusName);
    const name = properties.Name ?? physicalName(request, 64);
    const rule: BusRule = {
      name,
      arn: ruleArn(bus.name, name),
      busName: bus.name,
      description: properties.Description,
      isEnabled: properties.State === 'ENABLED',
      eventPattern: EventPattern && JSON.stringify(EventPattern),
      scheduleExpression: ScheduleExpression,
      matches: EventPattern ? eventMatcher(EventPattern) : () => false,
      targets: EventPattern ? supported(Targets, (target) => ruleTarget(target, run), request.note) : [],
      targetDescriptions: Targets,
    };
    if (ScheduleExpression !== undefined) {
      const intervalMs = intervalOf(ScheduleExpression);
      const invocations = supported(
        Targets,
        (target) => invocation(run, target.Arn, scheduledPayload(target, rule.arn)),
        request.note,
      );
      if (rule.isEnabled)
        for (const invoke of invocations) run.schedules.push({ stop: repeat(invoke, intervalMs) });
    }
    run.eventBridge.addRule(rule);
    // CloudFormation names a rule of another bus than the default in this way.
    const ref = bus.name === 'default' ? name : `${bus.name}|${name}`;
    return { ref, attributes: { Arn: rule.arn } };
  };
}

/** Makes the targets that one machine has. Shows a line for each of the others. */
function supported<T>(
  targets: readonly RuleTargetProperties[],
  make: (target: RuleTargetProperties) => T,
  note: (line: string) => void,
): T[] {
  return targets.flatMap((target) => {
    try {
      return [make(target)];
    } catch (error) {
      if (!(error instanceof NotOnOneMachine)) throw error;
      note(`no event reaches the target ${target.Arn} here: ${error.message}`);
      return [];
    }
  });
}

function intervalOf(expression: string): number {
  const intervalMs = rateIntervalMs(expression);
  if (intervalMs !== undefined) return intervalMs;
  throw new NotOnOneMachine(
    `a schedule other than rate(n minutes|hours|days) is not supported on one machine: ${expression}`,
  );
}

/** @throws NotOnOneMachine for a target that is no function */
function invocation(
  { functions, note }: Pick<RuleParts, 'functions' | 'note'>,
  functionArn: string,
  payload: () => unknown,
): () => void {
  if (!functionArn.includes(':lambda:')) {
    throw new NotOnOneMachine('only functions can be targets of a schedule on one machine');
  }
  const { definition, pool } = functions.inTemplate(functionArn);
  return () => {
    void pool.invoke(payload()).then((outcome) => {
      if (outcome.kind === 'error')
        note(`${definition.label}: a scheduled run failed: ${outcome.error.errorMessage}`);
    });
  };
}

/** Returns the payload of a scheduled invocation: the target's input, or an event as EventBridge makes it. */
function scheduledPayload(target: Parameters<typeof payloadOf>[0], arn: string): () => unknown {
  const payload = payloadOf(target);
  return () => payload(scheduledEvent(arn));
}

function scheduledEvent(arn: string): Envelope {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: ACCOUNT,
    time: envelopeTime(Date.now()),
    region: REGION,
    resources: [arn],
    detail: {},
  };
}
