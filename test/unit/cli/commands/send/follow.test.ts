import { expect, it } from 'vitest';
import { fakeCounters, send } from '../../support/counters.ts';
import { commandLine } from '../../support/harness.ts';

it('a send is shown again when its counts change, until no message is pending', async () => {
  const states = [send, send, { ...send, tally: { delivered: 2, undelivered: 1 } }];
  const { connection } = fakeCounters({ send: async () => states.shift() });
  const { code, out } = await commandLine({ connection, wait: async () => true }).sms(
    'send',
    'follow',
    'send-1',
  );
  expect(code).toBe(0);
  const lines = out.trimEnd().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain(
    '3 messages, 2 with an outcome: 1 delivered (50.0 %), 1 failed (50.0 %), 1 pending',
  );
  expect(lines[1]).toContain('3 messages: 2 delivered (66.7 %), 1 failed (33.3 %), 0 pending');
  expect(states).toEqual([]);
});

it('a send whose messages were counted only when they changed ends with figures that are no less than zero', async () => {
  const { connection } = fakeCounters({
    send: async () => ({ ...send, tally: { sent: -10, delivered: 10 } }),
  });
  const { code, out } = await commandLine({ connection, wait: async () => true }).sms(
    'send',
    'follow',
    'send-1',
  );
  expect(code).toBe(0);
  expect(out).toContain('10 messages: 10 delivered (100.0 %), 0 failed, 0 pending');
});

it('a send is followed until the command is interrupted', async () => {
  const { connection } = fakeCounters();
  const { code, out } = await commandLine({ connection, wait: async () => false }).sms(
    ...['send', 'follow', 'send-1', '--json', 'pending'],
  );
  expect([code, out]).toEqual([0, '{"pending":1}\n']);
});

it('a send that was not counted is an error that says what to do', async () => {
  const { connection } = fakeCounters();
  const { code, err } = await commandLine({ connection, wait: async () => false }).sms(
    'send',
    'follow',
    'other',
  );
  expect(code).toBe(1);
  expect(err).toContain('No report of the send "other" has been counted.');
  expect(err).toContain('sms send list');
});
