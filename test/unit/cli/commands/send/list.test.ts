import { expect, it } from 'vitest';
import { fakeCounters } from '../../support/counters.ts';
import { commandLine } from '../../support/harness.ts';

it('sends are listed with their counts', async () => {
  const { calls, connection } = fakeCounters();
  const { code, out } = await commandLine({ connection }).sms('send', 'list', '--since', '7d');
  expect(code).toBe(0);
  expect(out).toMatch(/send-1 +3 +1 \(33\.3 %\) +1 \(33\.3 %\) +1 \(33\.3 %\) +1 +0 +4\.\d s/);
  expect(calls).toEqual([{ limit: 20, since: Date.UTC(2026, 0, 8, 12) }]);
});

it('sends are written as JSON and as CSV', async () => {
  const { connection } = fakeCounters();
  const { sms } = commandLine({ connection });
  const { out } = await sms('send', 'list', '--json', 'sendId,failed');
  expect(JSON.parse(out)).toEqual({ entries: [{ sendId: 'send-1', failed: 1 }], next: null });
  const csv = await sms('send', 'list', '--csv');
  expect(csv.out).toMatch(
    /^sendId,firstReportAt,messages,.*\r\nsend-1,2026-01-15T11:00:00\.000Z,3,1,1,1,1,0,/,
  );
});
