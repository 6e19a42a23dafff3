import { expect, it } from 'vitest';
import { sendLive } from '../../../../local/sample/send-live.ts';
import type { SampleEvent } from '../../../../local/sample/traffic/sample-event.ts';

const eventAt = (at: number): SampleEvent => ({ kind: 'body', id: `evt_${at}`, at, body: '{}' });

/** Sends one event a second for eight seconds, and nothing in the second 7. The webhook is deactivated from `from` to `until`. */
async function play({ from, until }: { readonly from: number; readonly until: number }) {
  let second = 0;
  const sent: number[] = [];
  const lines: string[] = [];
  await sendLive(
    { due: (time) => (time === 7 ? [] : [eventAt(time)]) },
    {
      send: async ([event]) => {
        if (second >= from && second < until) throw new Error('The sandbox answered 409');
        sent.push(event?.at ?? 0);
      },
      pause: async () => {
        second += 1;
      },
      clock: () => second,
      progress: { note: (line) => void lines.push(`note ${line}`), step: (line) => void lines.push(line) },
      isEnding: () => second >= 8,
    },
  );
  return { sent, lines };
}

it('live traffic survives a deactivated webhook, says so once, and goes on afterwards', async () => {
  expect(await play({ from: 2, until: 5 })).toEqual({
    sent: [0, 1, 5, 6],
    lines: [
      'note live traffic stops until the webhook accepts it: The sandbox answered 409',
      'live traffic goes on',
    ],
  });
});

it('live traffic says nothing while all events are acknowledged', async () => {
  expect(await play({ from: 8, until: 8 })).toEqual({ sent: [0, 1, 2, 3, 4, 5, 6], lines: [] });
});
