import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ACCOUNT, REGION } from '../account.ts';
import { type Envelope, envelopeTime } from '../event-bridge/envelope.ts';
import { type BusRule, ruleArn } from '../event-bridge/event-bus.ts';
import { rateIntervalMs } from '../schedule/rate.ts';
import { type Repeat, repeatByTimer } from '../schedule/repeat.ts';
import { type CreateResource, physicalName } from '../template/deploy-stack.ts';
import { TemplateError } from '../template/template.ts';
import { eventMatcher } from './event-matcher.ts';
import { inert, readProperties } from './properties.ts';
import { payloadOf, ruleTarget, ruleTargetSchema } from './rule-target.ts';
import type { Runtime } from './runtime.ts';

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

type RuleRuntime = Pick<
  Runtime,
  'asyncInvocations' | 'endpoints' | 'eventBridge' | 'functions' | 'note' | 'schedules' | 'sns' | 'sqs'
>;

/**
 * A rule that hands the events of a bus that match its pattern to functions, queues and topics; or one that invokes
 * functions at a rate, the first time after one interval. Nobody waits for a scheduled function, and a run may begin
 * while the one before goes on; one that fails is noted and not tried again: the next one comes.
 */
export function ruleCreator(runtime: RuleRuntime, repeat: Repeat = repeatByTimer): CreateResource {
  return async (request) => {
    const properties = readProperties(schema, request);
    const { EventPattern, ScheduleExpression, Targets } = properties;
    if ((EventPattern === undefined) === (ScheduleExpression === undefined)) {
      throw new TemplateError('expected an EventPattern or a ScheduleExpression, and not both');
    }
    const bus = runtime.eventBridge.buses.find(properties.EventBusName);
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
      targets: EventPattern ? Targets.map((target) => ruleTarget(target, servicesOf(runtime))) : [],
      targetDescriptions: Targets,
    };
    if (ScheduleExpression !== undefined) {
      const intervalMs = intervalOf(ScheduleExpression);
      const runs = Targets.map((target) =>
        invocation(runtime, target.Arn, scheduledPayload(target, rule.arn)),
      );
      if (rule.isEnabled) for (const run of runs) runtime.schedules.push({ stop: repeat(run, intervalMs) });
    }
    runtime.eventBridge.addRule(rule);
    // As CloudFormation names a rule that is not on the default bus.
    const ref = bus.name === 'default' ? name : `${bus.name}|${name}`;
    return { ref, attributes: { Arn: rule.arn } };
  };
}

function servicesOf({ asyncInvocations, endpoints, functions, sns, sqs }: RuleRuntime) {
  return { asyncInvocations, functions, sns, sqs, sqsUrl: String(endpoints.SQS) };
}

function intervalOf(expression: string): number {
  const intervalMs = rateIntervalMs(expression);
  if (intervalMs !== undefined) return intervalMs;
  throw new TemplateError(
    `a schedule other than rate(n minutes|hours|days) is not supported on one machine: ${expression}`,
  );
}

/** @throws TemplateError for a target that is no function */
function invocation(
  { functions, note }: Pick<Runtime, 'functions' | 'note'>,
  functionArn: string,
  payload: () => unknown,
): () => void {
  if (!functionArn.includes(':lambda:')) {
    throw new TemplateError(
      `a target of a schedule other than a function is not supported on one machine: ${functionArn}`,
    );
  }
  const { definition, pool } = functions.find(functionArn);
  return () => {
    void pool.invoke(payload()).then((outcome) => {
      if (!outcome.ok) note(`${definition.label}: a scheduled run failed: ${outcome.error.errorMessage}`);
    });
  };
}

/** What the function gets: the target's input, or an event as EventBridge makes it. */
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
