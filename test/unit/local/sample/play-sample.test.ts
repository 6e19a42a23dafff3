import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readState, sendLive } from '../../../../local/sample/play-sample.ts';
import type { SampleEvent } from '../../../../local/sample/traffic.ts';

it.each([
  ['', undefined],
  ['{"begun":1', undefined],
  ['{"begun":"yesterday"}', undefined],
  ['{"begun":1}', { begun: 1 }],
  ['{"begun":1,"filledUntil":2}', { begun: 1, filledUntil: 2 }],
])('the state of kept tables is read, or explained if it is damaged: %j', (text, state) => {
  const folder = mkdtempSync(join(tmpdir(), 'sample-state-'));
  const file = join(folder, 'sample.json');
  writeFileSync(file, text);
  if (state === undefined) expect(() => readState(file)).toThrow(`${file} cannot be read: remove its folder`);
  else expect(readState(file)).toEqual(state);
  rmSync(folder, { recursive: true });
});

it('tables without a sample have no state', () => {
  expect(readState(join(tmpdir(), 'no-such-folder', 'sample.json'))).toBeUndefined();
  expect(readState(undefined)).toBeUndefined();
});

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
