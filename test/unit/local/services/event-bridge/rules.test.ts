import { describe, expect, it } from 'vitest';
import { TemplateError } from '../../../../../local/cloudformation/template.ts';
import { until } from '../../../../../tools/support/until.ts';
import { createEventBridge } from './event-bridge-under-test.ts';

const ARN = 'arn:aws:lambda:us-east-1:000000000000:function:function-under-test';

/** Makes a rule whose timers the test runs. */
async function createRule(properties: object) {
  const under = await createEventBridge();
  const created = await under.createRule('Reconcile', properties);
  return { ...under, created };
}

const scheduled = (target: object, more: object = {}) => ({
  ScheduleExpression: 'rate(5 minutes)',
  State: 'ENABLED',
  Targets: [{ Arn: ARN, Id: 'Target0', ...target }],
  ...more,
});

const onEvent = (target: object, more: object = {}) => ({
  EventPattern: { source: ['test'] },
  Targets: [{ Arn: ARN, Id: 'Target0', ...target }],
  ...more,
});

describe('a rule with a rate', () => {
  it('passes its input to the function at each interval', async () => {
    const Input = JSON.stringify({ action: 'reconcile' });
    const { created, timers, target } = await createRule(scheduled({ Input }));
    expect(created).toEqual({
      ref: 'Pipeline-Reconcile',
      attributes: { Arn: 'arn:aws:events:us-east-1:000000000000:rule/Pipeline-Reconcile' },
    });
    expect(timers.map(({ intervalMs }) => intervalMs)).toEqual([300_000]);
    expect(target.events).toEqual([]);
    for (let run = 0; run < 2; run++) timers[0]?.run();
    expect(target.events).toEqual([{ action: 'reconcile' }, { action: 'reconcile' }]);
  });

  it('passes an event of EventBridge to the function if it has no input', async () => {
    const properties = scheduled({}, { Name: 'nightly', ScheduleExpression: 'rate(1 day)' });
    const { timers, target } = await createRule(properties);
    timers[0]?.run();
    expect(target.events.at(-1)).toEqual({
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

  it('records a failed run and continues', async () => {
    const { timers, notes } = await createRule(scheduled({ Input: '{"fails":true}' }));
    for (let run = 0; run < 2; run++) timers[0]?.run();
    await until('both are noted', () => notes.length === 2);
    expect(new Set(notes)).toEqual(new Set(['function-under-test: a scheduled run failed: out of order']));
  });
});

describe('a rule that is not supported here', () => {
  it.each([
    [
      'a cron expression',
      scheduled({}, { ScheduleExpression: 'cron(0 3 * * ? *)' }),
      'a schedule other than rate(n minutes|hours|days) is not supported on one machine: cron(0 3 * * ? *)',
    ],
    [
      'a pattern and a schedule at once',
      scheduled({}, { EventPattern: { source: ['test'] } }),
      'expected an EventPattern or a ScheduleExpression, and not both',
    ],
    [
      'an operator that there is not',
      onEvent({}, { EventPattern: { detail: { text: [{ contains: 'a' }] } } }),
      'EventPattern: detail.text.contains: this operator is not supported on one machine',
    ],
    [
      'a part of an event that is not named by its path',
      onEvent({ InputPath: '$.detail[0]' }),
      'an InputPath other than names with dots is not supported: $.detail[0]',
    ],
    [
      'a part and a constant at once',
      onEvent({ InputPath: '$.detail', Input: '{}' }),
      'a target has an Input or an InputPath, not both',
    ],
    ['an input that is no JSON', scheduled({ Input: 'reconcile' }), 'the Input of a target is not JSON'],
  ])('is reported: %s', async (_, properties, message) => {
    const creation = createRule(properties);
    await expect(creation).rejects.toThrow(TemplateError);
    await expect(creation).rejects.toThrow(message);
  });
});

describe('a target that one machine does not have', () => {
  const machine = 'arn:aws:states:us-east-1:000000000000:stateMachine:orders';
  it.each([
    [
      'a queue of a schedule',
      scheduled({ Arn: 'arn:aws:sqs:us-east-1:000000000000:queue' }),
      'only functions can be',
    ],
    ['a state machine', onEvent({ Arn: machine }), 'only functions, queues and topics receive events'],
    [
      'an absent function',
      onEvent({ Arn: 'arn:aws:lambda:us-east-1:000000000000:function:py' }),
      'does not run',
    ],
    [
      'a FIFO queue without a group',
      onEvent({ Arn: 'arn:aws:sqs:us-east-1:000000000000:jobs.fifo' }),
      'a FIFO queue needs',
    ],
    ['a transformed input', onEvent({ InputTransformer: { InputTemplate: '{}' } }), 'an InputTransformer'],
  ])('is named, and the rule has its other targets: %s', async (_, properties, line) => {
    const { ruleNotes } = await createRule(properties);
    expect(ruleNotes).toEqual([expect.stringMatching(/^no event reaches the target arn:aws:/)]);
    expect(ruleNotes[0]).toContain(line);
  });
});
