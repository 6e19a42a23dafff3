import { type CanonicalStatus, rankOf, type StatusEvent } from '../../../../../contract/schema/sms-event.ts';
import { type Message, mergeMessages, messageOf, replyOf } from '../../../../../functions/history/message.ts';
import {
  type Contribution,
  messageContribution,
  replyContribution,
} from '../../../../../functions/insights/counters/contributions.ts';
import type { CounterReads } from '../../../../../functions/insights/counters/counter-read-store.ts';
import { addTallies } from '../../../../../functions/insights/counters/tally.ts';
import {
  createAnswerQuery,
  type QueryDependencies,
} from '../../../../../functions/query/api/answer-query.ts';
import { memoryHistory } from '../../../../support/fakes/history.ts';
import { dependencies } from '../../../functions/query/api/fakes.ts';
import { throughHttpApi } from '../../../functions/query/api/http-api.ts';

/** Thursday, 2026-01-15T12:00:00Z */
export const now = Date.UTC(2026, 0, 15, 12);

/** The numbers of the sample; all are reserved for fiction. */
export const people = {
  ann: '+12025550143',
  bob: '+12025550144',
  cleo: '+33639980101',
  dan: '+447700900123',
  eve: '+33639980102',
} as const;

type Traits = Partial<Omit<StatusEvent, 'status' | 'rank'>>;

/** A message that was sent at a time, and had a status five seconds later. */
function message(messageId: string, at: string, status: CanonicalStatus, traits: Traits): Message {
  const report = (eventId: string, one: CanonicalStatus, occurredAt: string, more: Traits) =>
    messageOf(
      { kind: 'sms.status', messageId, eventId, status: one, rank: rankOf(one), occurredAt, ...more },
      occurredAt,
    );
  const { phone, sendId } = traits;
  const ids = { ...(phone !== undefined && { phone }), ...(sendId !== undefined && { sendId }) };
  const later = new Date(Date.parse(at) + 5_000).toISOString();
  const sent = report(`${messageId}-1`, 'sent', at, ids);
  return status === 'sent' ? sent : mergeMessages(report(`${messageId}-2`, status, later, traits), sent);
}

const unreachable = { errorCode: '30003', errorReason: 'unreachable' } as const;
const wrongNumber = {
  errorCode: '30005',
  errorReason: 'invalid_number',
  errorText: 'unknown destination',
} as const;
const cost = { price: '0.01', currency: 'USD', segments: 1 } as const;
const { ann, bob, cleo, dan, eve } = people;
const spring = 'spring';

const messages = [
  message('m-1', '2026-01-15T09:00:00.000Z', 'delivered', { phone: ann, sendId: spring, ...cost }),
  message('m-2', '2026-01-15T09:00:01.000Z', 'undelivered', {
    phone: bob,
    sendId: spring,
    errorText: `cannot reach ${bob}`,
    ...unreachable,
  }),
  message('m-3', '2026-01-15T09:00:02.000Z', 'delivered', { phone: dan, sendId: spring, ...cost }),
  message('m-4', '2026-01-15T09:00:03.000Z', 'failed', { phone: eve, sendId: spring, ...wrongNumber }),
  message('m-5', '2026-01-15T11:59:00.000Z', 'sent', { phone: ann }),
  message('m-6', '2026-01-14T08:00:00.000Z', 'failed', { phone: cleo, ...wrongNumber }),
  message('m-7', '2026-01-14T08:00:00.000Z', 'rejected', { phone: bob, errorReason: 'spam' }),
  message('m-8', '2026-01-12T08:00:00.000Z', 'unknown', { phone: dan }),
  // Ids may be made of a number.
  message(`otp-${ann.slice(1)}-7`, '2026-01-13T08:00:00.000Z', 'delivered', { phone: ann }),
  message('backup/b-1', '2026-01-13T10:00:00.000Z', 'undelivered', { phone: cleo, ...unreachable }),
  message('backup/b-2', '2026-01-13T10:00:00.000Z', 'delivered', { phone: ann }),
];

const replies = [
  ['r-1', ann, '2026-01-15T09:05:00.000Z', `Yes, call me: (202) 555-0143`, 'm-1'],
  ['r-2', dan, '2026-01-15T09:06:00.000Z', 'STOP', 'm-3'],
  ['r-3', bob, '2026-01-14T10:00:00.000Z', 'Who is this?', undefined],
].map(([replyId = '', from = '', occurredAt = '', text = '', messageId]) =>
  replyOf(
    {
      kind: 'sms.reply',
      eventId: `${replyId}-1`,
      replyId,
      from,
      to: '+12025550100',
      text,
      occurredAt,
      ...(messageId !== undefined && { messageId }),
    },
    occurredAt,
  ),
);

const optOuts = [
  { phone: dan, at: '2026-01-15T09:06:00.000Z', by: 'person' as const, replyId: 'r-2' },
  {
    phone: eve,
    at: '2026-01-10T10:00:00.000Z',
    by: 'operator' as const,
    entryId: 'e-1',
    reason: `rang from ${eve}`,
  },
];

/** Counts a history, as the counters do. */
function countersOf(contributions: readonly Contribution[]): CounterReads {
  const counted = contributions.flatMap(({ tally, cohorts }) => cohorts.map((cohort) => ({ tally, cohort })));
  const times = (kind: 'quarter' | 'day') =>
    counted.flatMap(({ cohort, tally }) => (cohort.kind === kind ? [{ ...cohort, tally }] : []));
  const ofSpring = messages.filter(({ sendId }) => sendId === spring);
  const send = {
    sendId: spring,
    first: Date.parse('2026-01-15T09:00:00.000Z'),
    tally: addTallies(ofSpring.map((one) => messageContribution(one).tally)),
  };
  return {
    send: async (sendId) => (sendId === spring ? send : undefined),
    sends: async () => ({ sends: [send], next: undefined }),
    quarters: async (since, until) => times('quarter').filter(({ start }) => start >= since && start < until),
    days: async (since, until) =>
      times('day')
        .map(({ start, ...one }) => ({ day: new Date(start).toISOString().slice(0, 10), ...one }))
        .filter(({ day }) => day >= since && day < until),
  };
}

/** The dependencies of a query function that answers from the sample. */
export function sampleDependencies(): QueryDependencies {
  const history = memoryHistory({ messages, replies, optOuts });
  const isStop = (text: string) => (text === 'STOP' ? 'stop' : undefined);
  return {
    ...dependencies().all,
    reader: history,
    lists: history,
    optOuts: history.register,
    counters: countersOf([
      ...messages.map(messageContribution),
      ...replies.map((one) => replyContribution(one, isStop)),
    ]),
    sources: ['main', 'backup'],
    clock: () => now,
  };
}

/** A `fetch` that the query API answers from the sample. Paths that were asked for are added to a list. */
export function sampleFetch(asked: string[] = []): typeof fetch {
  const api = throughHttpApi(createAnswerQuery(sampleDependencies()));
  return async (url, init) => {
    asked.push(`${init?.method} ${new URL(String(url)).pathname}`);
    return api(url, init);
  };
}
