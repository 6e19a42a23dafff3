import { expect, it } from 'vitest';
import { fakeCounters } from '../../support/counters.ts';
import { commandLine } from '../../support/harness.ts';

it('sends are listed with their counts', async () => {
  const { calls, connection } = fakeCounters();
  const { code, out } = await commandLine({ connection }).sms('send', 'list', '--since', '7d');
  expect(code).toBe(0);
  expect(out).toMatch(/send-1 +3 +1 \(50\.0 %\) +1 \(50\.0 %\) +1 +1 +0 +4\.\d s/);
  expect(calls).toEqual([{ limit: 20, since: Date.UTC(2026, 0, 8, 12) }]);
});
