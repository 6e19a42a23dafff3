import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FunctionRegistry } from '../../../local/lambda/registry.ts';
import { ruleCreator } from '../../../local/resources/rule.ts';
import type { Schedule } from '../../../local/resources/runtime.ts';
import { parseTemplate, TemplateError } from '../../../local/template/template.ts';
import { hostFunction, type LocalFunctionUnderTest } from '../../support/local-function.ts';
import { until } from '../../support/until.ts';

// Real processes and servers, on a machine that may be busy.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const ARN = 'arn:aws:lambda:us-east-1:000000000000:function:function-under-test';

const CODE = `exports.handler = async (event) => {
  console.log(JSON.stringify(event));
  if (event.fails) throw new Error('out of order');
};`;

let hosted: LocalFunctionUnderTest;
const functions = new FunctionRegistry();

beforeAll(() => {
  hosted = hostFunction(CODE);
  functions.add({ definition: hosted.definition, arn: ARN, pool: hosted.pool });
});

afterAll(() => hosted.pool.stop());

/** Makes a rule whose timers the test runs. */
async function createRule(properties: Record<string, unknown>) {
  const timers: { intervalMs: number; run: () => void }[] = [];
  const notes: string[] = [];
  const schedules: Schedule[] = [];
  const runtime = { functions, schedules, note: (line: string) => notes.push(line) };
  const create = ruleCreator(runtime, (run, intervalMs) => {
    const timer = { run, intervalMs };
    timers.push(timer);
    return () => timers.splice(timers.indexOf(timer), 1);
  });
  const created = await create({
    stack: { name: 'Pipeline', template: parseTemplate({}), assets: new Map() },
    logicalId: 'Reconcile',
    type: 'AWS::Events::Rule',
    properties,
  });
  return { created, timers, notes, schedules };
}

const scheduled = (target: object, more: object = {}) => ({
  ScheduleExpression: 'rate(5 minutes)',
  State: 'ENABLED',
  Targets: [{ Arn: ARN, Id: 'Target0', ...target }],
  ...more,
});

/** The events that the function has printed, without what it says of errors. */
const events = (): unknown[] =>
  hosted
    .log()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

describe('a rule with a rate', () => {
  it('hands its input to the function at each interval', async () => {
    const Input = JSON.stringify({ action: 'reconcile' });
    const { created, timers } = await createRule(scheduled({ Input }));
    expect(created).toEqual({
      ref: 'Pipeline-Reconcile',
      attributes: { Arn: 'arn:aws:events:us-east-1:000000000000:rule/Pipeline-Reconcile' },
    });
    expect(timers.map(({ intervalMs }) => intervalMs)).toEqual([300_000]);
    expect(hosted.log()).toBe('');
    for (let run = 0; run < 2; run++) timers[0]?.run();
    await until('both ran', () => events().length === 2);
    expect(events()).toEqual([{ action: 'reconcile' }, { action: 'reconcile' }]);
  });

  it('hands on an event of EventBridge where it has no input', async () => {
    const { timers } = await createRule(
      scheduled({}, { Name: 'nightly', ScheduleExpression: 'rate(1 day)' }),
    );
    const before = events().length;
    timers[0]?.run();
    await until('it ran', () => events().length > before);
    expect(events().at(-1)).toEqual({
      version: '0',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      'detail-type': 'Scheduled Event',
      source: 'aws.events',
      account: '000000000000',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      region: 'us-east-1',
      resources: ['arn:aws:events:us-east-1:000000000000:rule/nightly'],
      detail: {},
    });
  });

  it('notes a run that fails, and goes on', async () => {
    const { timers, notes } = await createRule(scheduled({ Input: '{"fails":true}' }));
    for (let run = 0; run < 2; run++) timers[0]?.run();
    await until('both are noted', () => notes.length === 2);
    expect(new Set(notes)).toEqual(new Set(['function-under-test: a scheduled run failed: out of order']));
  });

  it('runs no more once its schedules are stopped', async () => {
    const { timers, schedules } = await createRule(scheduled({}));
    for (const schedule of schedules) schedule.stop();
    expect(timers).toEqual([]);
  });

  it('does not run while it is disabled', async () => {
    const { timers, created } = await createRule(scheduled({}, { State: 'DISABLED' }));
    expect(timers).toEqual([]);
    expect(created.ref).toBe('Pipeline-Reconcile');
  });
});

describe('what a rule cannot do here', () => {
  it.each([
    [
      'a cron expression',
      scheduled({}, { ScheduleExpression: 'cron(0 3 * * ? *)' }),
      'a schedule other than rate(n minutes|hours|days) is not supported on one machine: cron(0 3 * * ? *)',
    ],
    [
      'an event pattern',
      { EventPattern: { source: ['aws.s3'] }, Targets: [] },
      'EventPattern is not supported on one machine',
    ],
    [
      'a target that is no function',
      scheduled({ Arn: 'arn:aws:sqs:us-east-1:000000000000:queue' }),
      'a target other than a function is not supported on one machine: arn:aws:sqs:',
    ],
    [
      'an input that is made of the event',
      scheduled({ InputTransformer: { InputTemplate: '{}' } }),
      'Targets.0.InputTransformer is not supported on one machine',
    ],
    ['an input that is no JSON', scheduled({ Input: 'reconcile' }), 'the Input of a target is not JSON'],
  ])('is told: %s', async (_, properties, message) => {
    const creation = createRule(properties);
    await expect(creation).rejects.toThrow(TemplateError);
    await expect(creation).rejects.toThrow(message);
  });
});
