import fc from 'fast-check';
import { type CanonicalStatus, canonicalStatuses } from '../../contract/schema/sms-event.ts';
import { type Message, mergeMessages, mergeReplies, type Reply } from '../../functions/history/message.ts';
import { cohortKey } from '../../functions/insights/counters/cohort.ts';
import { messageContribution, replyContribution } from '../../functions/insights/counters/contributions.ts';
import type { HistoryChange } from '../../functions/insights/counters/deltas.ts';
import { addTallies, type Tally } from '../../functions/insights/counters/tally.ts';
import { keywordOf } from '../../tools/support/keywords.ts';
import { replied, report } from './suites/reports.ts';

/** A report or a reply that arrives. */
export type Arrival =
  | { readonly kind: 'message'; readonly view: Message }
  | { readonly kind: 'reply'; readonly view: Reply };

const phones = ['+12025550143', '+5511955550143'] as const;

/** Reports of four messages, one of them without a send, and three replies to them, in any order. */
export const arrivals = fc.array(
  fc.oneof(
    fc
      .record({
        message: fc.integer({ min: 0, max: 3 }),
        event: fc.integer({ min: 0, max: 4 }),
        status: fc.constantFrom(...canonicalStatuses),
        second: fc.integer({ min: -2000, max: 2000 }),
        namesSend: fc.boolean(),
        cost: fc.constantFrom(
          {},
          { price: '0.0079', currency: 'USD', segments: 1 },
          { price: '0.0158', currency: 'USD', segments: 2, network: '310410' },
          { price: '0.0333000049', currency: 'EUR', carrier: 'One' },
          { segments: 3 },
          { price: '0', currency: 'USD' },
        ),
      })
      .map(({ message, event, status, second, namesSend, cost }): Arrival => {
        const facts = {
          phone: phones[message % 2] ?? '',
          ...(message > 0 && namesSend && { sendId: `send-${message % 2}` }),
          ...cost,
        };
        return {
          kind: 'message',
          view: report(`m${message}`, `e${event}`, status as CanonicalStatus, second, facts),
        };
      }),
    fc
      .record({
        reply: fc.integer({ min: 0, max: 2 }),
        event: fc.integer({ min: 0, max: 2 }),
        text: fc.constantFrom('stop', 'yes'),
        second: fc.integer({ min: -2000, max: 2000 }),
      })
      .map(({ reply, event, text, second }): Arrival => {
        const facts = { from: phones[reply % 2] ?? '', text, messageId: `m${reply}` };
        return { kind: 'reply', view: replied(`r${reply}`, `e${event}`, second, facts) };
      }),
  ),
  { minLength: 1, maxLength: 30 },
);

/** Stores arrivals one after another, as the history does, and returns its changes. */
export function store(list: readonly Arrival[]) {
  const messages = new Map<string, Message>();
  const replies = new Map<string, Reply>();
  const changes = list.map((arrival): HistoryChange => {
    if (arrival.kind === 'message') {
      const { view } = arrival;
      const before = messages.get(view.messageId);
      const after = before === undefined ? view : mergeMessages(before, view);
      messages.set(view.messageId, after);
      return { kind: 'message', before, after };
    }
    const { view } = arrival;
    const before = replies.get(view.replyId);
    const after = before === undefined ? view : mergeReplies(before, view);
    replies.set(view.replyId, after);
    return { kind: 'reply', before, after };
  });
  return { changes, messages, replies };
}

/** Counts what is stored in the end, by other means than deltas. */
export function recount(messages: readonly Message[], replies: readonly Reply[]): Record<string, Tally> {
  const contributions = [
    ...[...messages].map(messageContribution),
    ...[...replies].map((reply) => replyContribution(reply, keywordOf)),
  ];
  const named = contributions.flatMap(({ cohorts, tally }) =>
    cohorts.map((cohort) => {
      const { pk, sk } = cohortKey(cohort);
      return [`${pk} ${sk}`, tally] as const;
    }),
  );
  const answers = [...replies].map((reply) => {
    const { tally } = replyContribution(reply, keywordOf);
    return [`replies to ${reply.current.messageId}`, tally] as const;
  });
  const groups = Object.groupBy([...named, ...answers], ([name]) => name);
  return Object.fromEntries(
    Object.entries(groups).map(([name, same = []]) => [name, addTallies(same.map(([, tally]) => tally))]),
  );
}
