import { serviceIds } from '../../../contract/events/source-id.ts';
import { e164, phoneKey } from '../../../contract/phone/phone-key.ts';
import { type NumberRules, readPhone, rulesOfTyping } from '../../../contract/phone/phone-number.ts';
import {
  digitSpellings,
  type HistoryLists,
  type HistoryReader,
  type OptOutReader,
  type TimelineEntry,
} from '../../history/index.ts';
import { findAll, findOne } from './find-by-id.ts';
import type { SearchView } from './views/view-schemas.ts';
import { viewMessage, viewOptOutState } from './views/views.ts';

// A conversation is named by any message or reply of its number, so that no URL holds a number.

type Found = SearchView['results'][number];

const ofMessage = (messageId: string) => `m~${messageId}`;
const ofReply = (replyId: string) => `r~${replyId}`;

/** Returns the name of the conversation that an entry belongs to. */
function nameOf(entry: TimelineEntry): string {
  return entry.kind === 'reply' ? ofReply(entry.reply.replyId) : ofMessage(entry.message.messageId);
}

/** Returns the number of a conversation; undefined if the message or reply is not stored, or has no number. */
export async function conversationOf(
  of: string,
  { reader, sources }: Pick<SearchStores, 'reader' | 'sources'>,
): Promise<string | undefined> {
  const id = of.slice(2);
  // Entries of the API have the id in the history; a person may give that of the service.
  const known = of.startsWith('r')
    ? (await reader.reply(id))?.current.from
    : (await reader.message(id))?.phone;
  if (known !== undefined) return known;
  if (of.startsWith('r')) return (await findOne(id, sources, reader.reply))?.value.current.from;
  return (await findOne(id, sources, reader.message))?.value.phone;
}

/** Digits with the usual separators: a number whose "+" is missing. */
const withoutPlus = /^[1-9][\d\s().-]{5,30}$/;

/**
 * Returns the numbers that a text may stand for: as people write it, possibly without its country code, or without its "+", and itself as the
 * history keys it. Digits alone may be several numbers, so each of them is looked up. A number is also looked up by its digits, because the
 * history keeps ambiguous digits as received.
 */
export function numbersIn(text: string, rules: NumberRules): readonly string[] {
  const readings = [
    ...[rules, rulesOfTyping(rules)].flatMap((one) => {
      const { phone, mayBe = [] } = readPhone(text, one);
      return e164.test(phone) ? [phone, ...digitSpellings(phone)] : mayBe;
    }),
    ...(withoutPlus.test(text) ? [`+${text}`] : []),
    text,
  ];
  return [...new Set(readings.map(phoneKey))];
}

/** What a search reads. */
interface SearchStores {
  /** How the contract writes numbers. */
  readonly numberRules: NumberRules;
  /** The names of the sources whose reports the history has. */
  readonly sources: readonly string[];
  readonly reader: HistoryReader;
  readonly lists: Pick<HistoryLists, 'phone' | 'send'>;
  readonly optOuts: OptOutReader;
}

/** Finds what has exactly this number or id. It reads by keys and scans nothing. */
export async function search(
  text: string,
  { reader, lists, optOuts, sources, numberRules }: SearchStores,
): Promise<SearchView> {
  async function number(phone: string): Promise<Found[]> {
    const [page, registered] = await Promise.all([
      lists.phone({ phone }, { limit: 1 }),
      optOuts.number(phone),
    ]);
    const [entry] = page.entries;
    const optOut = viewOptOutState(registered);
    if (entry === undefined && optOut === null) return [];
    return [{ kind: 'number', of: entry === undefined ? null : nameOf(entry), number: phone, optOut }];
  }
  const found = await Promise.all([
    ...numbersIn(text, numberRules).map(number),
    findAll(text, sources, reader.message).then((messages) =>
      messages.map(({ id, value }): Found => {
        const { phone, status, statusAt } = viewMessage(value);
        return {
          kind: 'message',
          ...serviceIds({ messageId: id }),
          phone,
          status,
          statusAt,
          of: ofMessage(id),
        };
      }),
    ),
    findAll(text, sources, reader.reply).then((replies) =>
      replies.map(({ id, value }): Found => {
        const { from, occurredAt } = value.current;
        return { kind: 'reply', ...serviceIds({ replyId: id }), from, occurredAt, of: ofReply(id) };
      }),
    ),
    findAll(text, sources, async (sendId) => (await lists.send({ sendId }, { limit: 1 })).entries[0]).then(
      (sends) => sends.map(({ id }): Found => ({ kind: 'send', ...serviceIds({ sendId: id }) })),
    ),
  ]);
  const { phone } = readPhone(text, numberRules);
  return { number: e164.test(phone) ? phone : null, results: found.flat() };
}
