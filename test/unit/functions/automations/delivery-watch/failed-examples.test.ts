import { expect, it } from 'vitest';
import { failedExamples } from '../../../../../functions/automations/delivery-watch/failed-examples.ts';
import type { SubjectChange } from '../../../../../functions/automations/delivery-watch/rules/watch-quarter.ts';
import type { PageRequest } from '../../../../../functions/history/lists/time-range.ts';
import type { Message } from '../../../../../functions/history/message.ts';
import { quarterMs } from '../../../../../functions/insights/counters/cohort.ts';
import { report } from '../../../../support/suites/reports.ts';

/** The quarter hour from noon of 15 January 2026, in which these reports are. */
const quarter = Date.UTC(2026, 0, 15, 12);
const now = quarter + 2 * quarterMs;

const finding = {
  signal: 'delivery-rate',
  figure: 0.5,
  usual: 0.9,
  score: 9,
  distance: 0.4,
  chance: 0.05,
  messages: 400,
  quarter,
  comparedWith: 'weeks',
  quarters: 36,
} as const;
const german: SubjectChange = {
  kind: 'degraded',
  subject: { kind: 'country', country: 'DE' },
  since: quarter,
  findings: [finding],
};

const inGermany = (id: string, second = 60) =>
  report(id, `e-${id}`, 'failed', second, { phone: '+493023125001', errorReason: 'spam' });
const inAmerica = (id: string) => report(id, `e-${id}`, 'failed', 60, { phone: '+12025550143' });

/** Pages of failed messages, and the requests for them. */
function listOf(...pages: readonly (readonly Message[])[]) {
  const requests: PageRequest[] = [];
  return {
    requests,
    async failed(_: unknown, request: PageRequest) {
      const page = requests.push(request);
      return { entries: pages[page - 1] ?? [], ...(page < pages.length && { next: `page ${page + 1}` }) };
    },
  };
}

const idsOf = async (change: SubjectChange, ...pages: readonly (readonly Message[])[]) =>
  (await failedExamples(listOf(...pages), change, now)).map(({ messageId }) => messageId);

it('are messages of the country, and of the quarter hour', async () => {
  expect(await idsOf(german, [inGermany('late', 900), inGermany('one'), inAmerica('other')])).toEqual([
    'one',
  ]);
});

it('are messages that failed for the reason, of any country', async () => {
  const spam = { ...german, subject: { kind: 'reason', reason: 'spam' } } as const;
  expect(await idsOf(spam, [inGermany('one'), inAmerica('other')])).toEqual(['one']);
  expect(
    await idsOf({ ...german, subject: { kind: 'all' } }, [inGermany('one'), inAmerica('other')]),
  ).toEqual(['one', 'other']);
});

it('are messages of the source', async () => {
  const backup = { ...german, subject: { kind: 'source', source: 'backup' } } as const;
  expect(await idsOf(backup, [inGermany('one'), inGermany('backup/two'), inAmerica('backup/three')])).toEqual(
    ['backup/two', 'backup/three'],
  );
});

it('are five at most, from three pages at most', async () => {
  const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => inGermany(id));
  expect(await idsOf(german, [inAmerica('other')], many)).toEqual(['a', 'b', 'c', 'd', 'e']);
  const list = listOf([], [], [], [inGermany('too far')]);
  expect(await failedExamples(list, german, now)).toEqual([]);
  expect(list.requests.map(({ cursor }) => cursor)).toEqual([undefined, 'page 2', 'page 3']);
});

it('are none of a recovery or of a slow delivery, without a read', async () => {
  const list = listOf([inGermany('one')]);
  const slow = { ...german, findings: [{ ...finding, signal: 'time-to-delivery' as const }] };
  expect(await failedExamples(list, { ...german, kind: 'recovered' }, now)).toEqual([]);
  expect(await failedExamples(list, slow, now)).toEqual([]);
  const share = { ...german, findings: [{ ...finding, signal: 'slow-share' as const }] };
  expect(await failedExamples(list, share, now)).toEqual([]);
  expect(list.requests).toEqual([]);
});
