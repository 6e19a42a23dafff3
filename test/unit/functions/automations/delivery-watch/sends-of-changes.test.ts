import { expect, it } from 'vitest';
import type { SubjectChange } from '../../../../../functions/automations/delivery-watch/rules/watch-quarter.ts';
import { sendsOfChanges } from '../../../../../functions/automations/delivery-watch/sends-of-changes.ts';
import type { Message } from '../../../../../functions/history/message.ts';
import { quarterMs } from '../../../../../functions/insights/counters/cohort.ts';
import { report } from '../../../../support/suites/reports.ts';

/** The quarter hour from noon of 15 January 2026, in which these reports are. */
const quarter = Date.UTC(2026, 0, 15, 12);
const now = quarter + 2 * quarterMs;
const german: SubjectChange = {
  kind: 'degraded',
  subject: { kind: 'country', country: 'DE' },
  since: quarter,
  findings: [],
};

const message = (id: string, second = 60, phone = '+493023125001') =>
  report(id, `e-${id}`, 'delivered', second, { phone });

/** Sends by their messages, and what is read of them. */
function stored(
  sends: Readonly<Record<string, readonly Message[]>>,
  totals: Readonly<Record<string, number>> = {},
) {
  const read: string[] = [];
  const queries: unknown[] = [];
  return {
    read,
    queries,
    counters: {
      async sends(query: unknown) {
        queries.push(query);
        return {
          sends: Object.entries(sends).map(([sendId, messages]) => ({
            sendId,
            first: quarter,
            tally: { delivered: totals[sendId] ?? messages.length },
          })),
          next: undefined,
        };
      },
    },
    lists: {
      async send({ sendId }: { readonly sendId: string }, { cursor = '0' }: { readonly cursor?: string }) {
        read.push(sendId);
        const from = Number(cursor);
        const messages = sends[sendId] ?? [];
        const isLast = from + 100 >= messages.length;
        return { entries: messages.slice(from, from + 100), ...(!isLast && { next: String(from + 100) }) };
      },
    },
  };
}

it('nothing is read without a degradation', async () => {
  const { counters, lists, queries } = stored({ spring: [message('a')] });
  expect(await sendsOfChanges(counters, lists, [{ ...german, kind: 'recovered' }], now)).toEqual({
    parts: [],
    messages: [],
  });
  expect(queries).toEqual([]);
});

it('the messages of sends are counted by quarter hour and country', async () => {
  const { counters, lists, queries } = stored({
    spring: [message('a'), message('b'), message('other', 60, '+12025550143'), message('later', 900)],
  });
  const { parts, messages } = await sendsOfChanges(counters, lists, [german], now);
  expect(parts.map(({ sendId, quarter: start }) => [sendId, start])).toEqual([['spring', quarter]]);
  expect(
    [...(parts[0]?.counters.countries ?? [])].map(([country, each]) => [
      country,
      each.messages,
      each.delivered,
    ]),
  ).toEqual([
    ['DE', 2, 2],
    ['US', 1, 1],
  ]);
  expect(messages.map(({ messageId }) => messageId)).toEqual(['a', 'b', 'other']);
  expect(queries).toEqual([{ since: quarter - 6 * 3600_000, until: quarter + quarterMs, limit: 100 }]);
});

it('the quarter hours of all signals of a source are counted, each message for its source', async () => {
  const of = { signal: 'delivery-rate', figure: 0, usual: 0, score: 0, distance: 0, chance: 0 } as const;
  const finding = { ...of, messages: 40, comparedWith: 'weeks', quarters: 36 } as const;
  const change: SubjectChange = {
    kind: 'degraded',
    subject: { kind: 'source', source: 'backup' },
    since: quarter,
    findings: [
      { ...finding, quarter: quarter + quarterMs },
      { ...finding, signal: 'slow-share', quarter },
    ],
  };
  const { counters, lists } = stored({
    'backup/spring': [message('backup/a'), message('backup/b', 900), message('backup/c', 1800)],
  });
  const { parts } = await sendsOfChanges(counters, lists, [change], now + quarterMs);
  expect(
    parts.map(({ quarter: start, counters: { sources } }) => [start, [...sources.keys()]]).sort(),
  ).toEqual([
    [quarter, ['backup']],
    [quarter + quarterMs, ['backup']],
  ]);
});

it('the largest sends are read first, twenty at most', async () => {
  const sends = Object.fromEntries(
    Array.from({ length: 25 }, (_, index) => [`send-${index}`, [message(`m-${index}`)]]),
  );
  const totals = { 'send-24': 50, 'send-3': 40 };
  const { counters, lists, read } = stored(sends, totals);
  await sendsOfChanges(counters, lists, [german], now);
  expect(read.slice(0, 2)).toEqual(['send-24', 'send-3']);
  expect(read).toHaveLength(20);
});

it('a send of more than 5,000 messages is left out', async () => {
  const large = Array.from({ length: 5001 }, (_, index) => message(`m-${index}`));
  const { counters, lists, read } = stored({ large, small: [message('a')] });
  const { parts } = await sendsOfChanges(counters, lists, [german], now);
  expect(parts.map(({ sendId }) => sendId)).toEqual(['small']);
  expect(read.filter((sendId) => sendId === 'large')).toHaveLength(50);
});
