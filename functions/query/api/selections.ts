import { splitId } from '../../../contract/events/source-id.ts';
import { cutBeforeMask, maskDigits, minTextDigits } from '../../../contract/phone/mask.ts';
import { outcomeOf } from '../../../contract/schema/sms-event.ts';
import { normalForm } from '../../../contract/text/normal-form.ts';
import {
  channelOf,
  decidingEntry,
  type Message,
  type OptOut,
  type Reply,
  type TimelineEntry,
} from '../../history/index.ts';
import type { Selection } from '../../history/shapes.ts';
import { countryOf } from '../../insights/index.ts';
import { surelyVisiblePart, visiblePart } from './masked-ids.ts';

/** What may be wanted of the entries of a list, by name. */
type Tests<T> = Readonly<Record<string, (entry: T, wanted: string) => boolean>>;

/** The name by which a filter selects the entries without a channel. */
const sms = 'sms';

/** Returns whether an id in the history begins so, with or without its source. */
export const hasPrefix = (id: string, prefix: string): boolean =>
  id.startsWith(prefix) || splitId(id).id.startsWith(prefix);

/** Returns whether an id may begin so, by what is visible of it in any case. */
function mayHavePrefix(id: string, prefix: string): boolean {
  return [id, splitId(id).id]
    .map(surelyVisiblePart)
    .some((part) => part.startsWith(prefix) || prefix.startsWith(part));
}

const ofMessages = {
  /** The beginning of the id. */
  idPrefix: ({ messageId }, wanted) => hasPrefix(messageId, wanted),
  /** The same of what an answer with masked numbers shows of the id: character by character, a search would find the rest. */
  maskedIdPrefix: ({ messageId, phone }, wanted) =>
    hasPrefix(visiblePart(messageId, phone === undefined ? [] : [phone]), wanted),
  /** Accepts messages that failed for a reason, as figures count it: the reason of the report that decides, or `unknown` if it has none. */
  reason: (message, wanted) =>
    hasFailed(message) && (decidingEntry(message).errorReason ?? 'unknown') === wanted,
  /** The service's code, of messages that failed; an empty text for those without one. */
  code: (message, wanted) => hasFailed(message) && (decidingEntry(message).errorCode ?? '') === wanted,
  /** ISO 3166-1 alpha-2; ZZ for numbers without a country. */
  country: ({ phone }, wanted) => countryOf(phone) === wanted,
  channel: (message, wanted) => (channelOf(message) ?? sms) === wanted,
} satisfies Tests<Message>;

const ofReplies = {
  idPrefix: ({ replyId }, wanted) => hasPrefix(replyId, wanted),
  maskedIdPrefix: ({ replyId, current: { from, to } }, wanted) =>
    hasPrefix(visiblePart(replyId, to === undefined ? [from] : [from, to]), wanted),
  /** A part of the text, in capitals or small letters. */
  text: ({ current }, wanted) => folded(searched(current.text)).includes(folded(wanted)),
  /** The same of the text with its numbers masked: digit by digit, a search would find a number that the answer masks. */
  maskedText: ({ current }, wanted) =>
    folded(maskDigits(searched(current.text), minTextDigits)).includes(folded(wanted)),
  channel: ({ current }, wanted) => (current.channel ?? sms) === wanted,
} satisfies Tests<Reply>;

const ofTimelines = {
  channel: (entry, wanted) =>
    entry.kind === 'message'
      ? ofMessages.channel(entry.message, wanted)
      : ofReplies.channel(entry.reply, wanted),
} satisfies Tests<TimelineEntry>;

const ofOptOuts = {
  /** Who said it: person, operator or provider. */
  by: ({ by }, wanted) => by === wanted,
} satisfies Tests<OptOut>;

type Wanted<T extends Tests<never>> = { readonly [N in keyof T]?: string | undefined };

/** Returns the selection of entries that have each of these; undefined for all entries. */
function selecting<T>(
  tests: Tests<T>,
  wanted: Readonly<Record<string, string | undefined>>,
): Selection<T> | undefined {
  const chosen = Object.entries(wanted).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value, test: tests[name] }],
  );
  if (chosen.length === 0) return undefined;
  const { idPrefix, maskedIdPrefix } = wanted;
  return {
    // A cursor says nothing about a text or an id, which may have a number.
    identity: chosen.flatMap(({ name, value }) => (/text|id/i.test(name) ? [name] : [name, value])),
    accepts: (entry) => chosen.every(({ value, test }) => test?.(entry, value) === true),
    ...(idPrefix !== undefined && { acceptsId: (id) => hasPrefix(id, idPrefix) }),
    // How long an answer takes must not depend on what it masks.
    ...(maskedIdPrefix !== undefined && { acceptsId: (id) => mayHavePrefix(id, maskedIdPrefix) }),
  };
}

export const selectMessages = (wanted: Wanted<typeof ofMessages>) => selecting<Message>(ofMessages, wanted);
export const selectReplies = (wanted: Wanted<typeof ofReplies>) => selecting<Reply>(ofReplies, wanted);
export const selectTimeline = (wanted: Wanted<typeof ofTimelines>) =>
  selecting<TimelineEntry>(ofTimelines, wanted);
export const selectOptOuts = (wanted: Wanted<typeof ofOptOuts>) => selecting<OptOut>(ofOptOuts, wanted);

function hasFailed(message: Message): boolean {
  return outcomeOf(decidingEntry(message).rank) === 'failure';
}

/** A thousand texts of 65,536 characters, of which each may become eighteen, would take longer than a page may. */
const maxSearched = 5000;

const searched = (text: string) => cutBeforeMask(text, maxSearched);

/** Letters that differ by case or by how they are composed only are the same. */
function folded(text: string): string {
  return normalForm(text, 'NFKC').toLowerCase();
}
