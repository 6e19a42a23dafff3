import { beforeEach, describe, expect, it } from 'vitest';
import {
  defaultRetryPolicy,
  deliver,
  type RuleTarget,
} from '../../../../../local/services/event-bridge/delivery.ts';
import type { Envelope } from '../../../../../local/services/event-bridge/events.ts';
import { until } from '../../../../../tools/support/until.ts';
import { fakeRetryClock } from '../../../../support/local-lambda.ts';
import { createEventBridge, type EventBridgeUnderTest } from './event-bridge-under-test.ts';

let under: EventBridgeUnderTest;

beforeEach(async () => {
  under = await createEventBridge();
});

/** A rule on the bus that sends events of one detail type to the function. */
const createRule = (name: string, type: string, target: object = {}, more: object = {}) =>
  under.createRule(name, {
    Name: name,
    EventBusName: 'sms',
    EventPattern: { 'detail-type': [type] },
    Targets: [{ Id: 'Target0', Arn: under.target.arn, ...target }],
    ...more,
  });

describe('a rule sends the matching events', () => {
  it('to its target, and no others', async () => {
    await createRule('switched-off', 'Sent', { Arn: under.otherTarget.arn }, { State: 'DISABLED' });
    await createRule('to-function', 'Sent');
    await under.put('Other', { n: 1 });
    const id = await under.put('Sent', { n: 2 });
    await until('it is sent', () => under.target.events.length > 0);
    expect(under.target.events).toEqual([
      expect.objectContaining({ id, 'detail-type': 'Sent', detail: { n: 2 } }),
    ]);
    expect(under.otherTarget.events).toEqual([]);
  });

  it('to a function, which Lambda retries', async () => {
    await createRule('to-function', 'Invoked', { RetryPolicy: { MaximumRetryAttempts: 0 } });
    await under.put('Invoked', { fails: true });
    await until('it is dropped', () => under.notes.length > 0);
    expect(under.target.events).toMatchObject(Array(3).fill({ detail: { fails: true } }));
    expect(under.clock.slept).toEqual([60_000, 120_000]);
    expect(under.notes).toEqual(['function-under-test: an event was dropped: out of order']);
  });

  it.each([
    ['a part', { InputPath: '$.detail.text' }, 'hello'],
    ['a part that there is not', { InputPath: '$.detail.other.text' }, null],
    ['all of it', { InputPath: '$' }, expect.objectContaining({ detail: { text: 'hello' } })],
  ])('as %s', async (name, input, expected) => {
    await createRule('with-input', name, input);
    await under.put(name, { text: 'hello' });
    await until('it is sent', () => under.target.events.length > 0);
    expect(under.target.events).toEqual([expected]);
  });
});

it('rules are listed and described', async () => {
  await createRule('listed-rule', 'Listed', { Input: '{}' });
  const [EventBusName, Name] = ['sms', 'listed-rule'];
  const Arn = 'arn:aws:events:us-east-1:000000000000:rule/sms/listed-rule';
  const rule = { Name, Arn, EventPattern: '{"detail-type":["Listed"]}', State: 'ENABLED' };
  const { Rules } = await under.client.listRules({ EventBusName, NamePrefix: 'listed' });
  expect(Rules).toMatchObject([rule]);
  expect(await under.client.describeRule({ EventBusName, Name })).toMatchObject(rule);
  const { Targets } = await under.client.listTargetsByRule({ EventBusName, Rule: Name });
  expect(Targets).toMatchObject([{ Id: 'Target0', Arn: under.target.arn, Input: '{}' }]);
});

interface RunOptions {
  /** Whether the run ends in the first pause. */
  readonly isEnding?: boolean;
  /** The last failure. */
  readonly error?: Error;
  readonly more?: Partial<RuleTarget>;
}

describe('the retry policy of a target', () => {
  const time = '2026-01-15T12:00:00Z';
  const about = { version: '0' as const, account: '000000000000', region: 'us-east-1', resources: [] };
  const event: Envelope = { ...about, id: 'e', 'detail-type': 'Test', source: 'test.sms', time, detail: {} };

  const busy = new Error('busy');

  /** Delivers to a target that fails so many times. */
  async function run(
    failures: number,
    policy: Partial<RuleTarget['retryPolicy']>,
    { isEnding = false, error = busy, more = {} }: RunOptions = {},
  ) {
    const fake = fakeRetryClock();
    const clock = isEnding ? { ...fake, sleep: async () => false } : fake;
    const [notes, dead]: [string[], Readonly<Record<string, string>>[]] = [[], []];
    let sent = 0;
    const target: RuleTarget = {
      id: 'Target0',
      arn: 'arn:target',
      payload: (given) => given,
      send: async () => {
        sent += 1;
        if (sent <= failures) throw sent === failures ? error : busy;
      },
      retryPolicy: { ...defaultRetryPolicy, ...policy },
      deadLetters: { arn: 'arn:dead', put: async (_, attributes) => void dead.push(attributes) },
      ...more,
    };
    await deliver(event, 'arn:rule', target, clock, (line) => notes.push(line));
    return { sent, dead, notes, slept: fake.slept };
  }

  it('doubles its pauses up to ten minutes', async () => {
    const { sent, dead, slept } = await run(12, {});
    expect(sent).toBe(13);
    expect(dead).toEqual([]);
    expect(slept.slice(0, 4)).toEqual([1000, 2000, 4000, 8000]);
    expect(slept.slice(-2)).toEqual([600_000, 600_000]);
  });

  it('lasts 24 hours by default', async () => {
    const { sent, slept, dead } = await run(999, {});
    const seconds = slept.reduce((sum, ms) => sum + ms / 1000, 0);
    expect(seconds).toBeLessThanOrEqual(86_400);
    expect(seconds).toBeGreaterThan(86_400 - 600);
    expect(dead).toMatchObject([
      { RETRY_ATTEMPTS: String(sent - 1), EXHAUSTED_RETRY_CONDITION: 'MaximumEventAgeInSeconds' },
    ]);
  });

  it('ends at once when the target is deleted in between, without exhausted retries', async () => {
    const error = Object.assign(new Error('no such queue'), { name: 'QueueDoesNotExist' });
    const { sent, dead } = await run(3, {}, { error });
    expect(sent).toBe(3);
    const reason = { ERROR_CODE: 'NO_RESOURCE', ERROR_MESSAGE: 'no such queue', RETRY_ATTEMPTS: '2' };
    expect(dead).toEqual([{ RULE_ARN: 'arn:rule', TARGET_ARN: 'arn:target', ...reason }]);
  });

  it('sends the original event to the queue, for any input of the target', async () => {
    const bodies: string[] = [];
    const put = async (body: string) => void bodies.push(body);
    const more = { payload: () => 'a part', deadLetters: { arn: 'arn:dead', put } };
    await run(1, { maximumRetryAttempts: 0 }, { more });
    expect(bodies.map((body) => JSON.parse(body))).toEqual([event]);
  });

  it('records an event that no queue accepts', async () => {
    const put = () => Promise.reject(new Error('no such queue'));
    const lost = { more: { deadLetters: { arn: 'arn:dead', put } } };
    expect((await run(1, { maximumRetryAttempts: 0 }, lost)).notes).toEqual([
      'an event was not delivered to arn:target, nor to its dead-letter queue: no such queue',
    ]);
  });

  it('ends after the maximum number of retries', async () => {
    const { sent, dead } = await run(99, { maximumRetryAttempts: 2 });
    expect(sent).toBe(3);
    expect(dead).toEqual([
      {
        RULE_ARN: 'arn:rule',
        TARGET_ARN: 'arn:target',
        ERROR_CODE: 'ERROR_FROM_TARGET',
        ERROR_MESSAGE: 'busy',
        RETRY_ATTEMPTS: '2',
        EXHAUSTED_RETRY_CONDITION: 'MaximumRetryAttempts',
      },
    ]);
  });

  it('ends with the run, without a dead letter or a note', async () => {
    expect(await run(99, {}, { isEnding: true })).toEqual({ sent: 1, dead: [], notes: [], slept: [] });
  });
});
