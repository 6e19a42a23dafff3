import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ACCOUNT, arnOf, REGION } from '../account.ts';
import { rateIntervalMs } from '../schedule/rate.ts';
import { type Repeat, repeatByTimer } from '../schedule/repeat.ts';
import { type CreateResource, physicalName } from '../template/deploy-stack.ts';
import { TemplateError } from '../template/template.ts';
import { inert, readProperties } from './properties.ts';
import type { Runtime } from './runtime.ts';

const target = z.strictObject({
  Arn: z.string(),
  Id: z.string(),
  /** JSON; the function gets it in place of the event. */
  Input: z.string().optional(),
  // Both are about events that do not reach their target: here each one does.
  RetryPolicy: inert,
  DeadLetterConfig: inert,
});

const schema = z.strictObject({
  Name: z.string().optional(),
  ScheduleExpression: z.string('expected a schedule, for example rate(5 minutes)'),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  Targets: z.array(target).default([]),
  Description: inert,
  Tags: inert,
});

/**
 * A rule that invokes functions at a rate, the first time after one interval. As with Lambda's asynchronous invocation
 * nobody waits for the function, and a run may begin while the one before goes on; one that fails is noted and not tried
 * again: the next one comes.
 */
export function ruleCreator(
  runtime: Pick<Runtime, 'functions' | 'note' | 'schedules'>,
  repeat: Repeat = repeatByTimer,
): CreateResource {
  return async (request) => {
    const properties = readProperties(schema, request);
    const intervalMs = rateIntervalMs(properties.ScheduleExpression);
    if (intervalMs === undefined) {
      throw new TemplateError(
        `a schedule other than rate(n minutes|hours|days) is not supported on one machine: ${properties.ScheduleExpression}`,
      );
    }
    const name = properties.Name ?? physicalName(request, 64);
    const arn = arnOf('events', `rule/${name}`);
    const runs = properties.Targets.map(({ Arn, Input }) => invocation(runtime, Arn, payloadOf(Input, arn)));
    if (properties.State === 'ENABLED') {
      for (const run of runs) runtime.schedules.push({ stop: repeat(run, intervalMs) });
    }
    return { ref: name, attributes: { Arn: arn } };
  };
}

/** @throws TemplateError for a target that is no function */
function invocation(
  { functions, note }: Pick<Runtime, 'functions' | 'note'>,
  functionArn: string,
  payload: () => unknown,
): () => void {
  if (!functionArn.includes(':lambda:')) {
    throw new TemplateError(`a target other than a function is not supported on one machine: ${functionArn}`);
  }
  const { definition, pool } = functions.find(functionArn);
  return () => {
    void pool.invoke(payload()).then((outcome) => {
      if (!outcome.ok) note(`${definition.label}: a scheduled run failed: ${outcome.error.errorMessage}`);
    });
  };
}

/** What the function gets: the target's input, or an event as EventBridge makes it. */
function payloadOf(input: string | undefined, ruleArn: string): () => unknown {
  if (input !== undefined) {
    const given = parseInput(input);
    return () => given;
  }
  return () => ({
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: ACCOUNT,
    // To the second, as EventBridge writes it.
    time: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    region: REGION,
    resources: [ruleArn],
    detail: {},
  });
}

function parseInput(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    throw new TemplateError('the Input of a target is not JSON');
  }
}
