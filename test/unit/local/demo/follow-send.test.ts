import { expect, it } from 'vitest';
import { timeName } from '../../../../functions/counters/count-names.ts';
import { bucketOf } from '../../../../functions/counters/delivery-times.ts';
import type { Tally } from '../../../../functions/counters/tally.ts';
import { followSend } from '../../../../local/demo/follow-send.ts';

it('the figures of a send are printed each time they change', async () => {
  const tallies: (Tally | undefined)[] = [
    undefined,
    { ss: 2 },
    { ss: 2 },
    { ss: 1, sd: 1, sn: 1, [timeName(bucketOf(4000))]: 1 },
  ];
  const lines: string[] = [];
  const rest = tallies.values();
  const look = followSend(
    async () => {
      const { value: tally } = rest.next();
      return tally && { sendId: 'demo-1', first: 0, tally };
    },
    (line) => lines.push(line),
  );
  const seen = [await look(), await look(), await look(), await look()];
  expect(seen.map((view) => view?.pending)).toEqual([undefined, 2, 2, 1]);
  expect(lines).toEqual([
    'the send demo-1: 2 messages, 2 pending, 0 delivered, 0 failed',
    expect.stringMatching(
      /^the send demo-1: 3 messages, 1 pending, 1 delivered, 1 failed, 95 % within [34]\.\d s$/,
    ),
  ]);
});
