import { isDeepStrictEqual } from 'node:util';
import { areCopies, idsOfCopies } from '../../../contract/events/equal-replies.ts';
import { splitId } from '../../../contract/events/source-id.ts';
import { phoneKey } from '../../../contract/phone/phone-key.ts';
import { omitUndefined } from '../../base/basics.ts';
import { contentOf, joinCopiesPreferring } from '../entry.ts';
import {
  type Condition,
  type HistorySettings,
  type Item,
  ifReadable,
  latestExpiry,
  listKeys,
  messagePrefix,
  quietAttribute,
  replyKey,
  replyPrefix,
  UnreadableItemError,
} from '../item-keys.ts';
import {
  foldMessages,
  foldReplies,
  type Message,
  type Reply,
  type ReplyEntry,
  replyFrom,
  type StatusEntry,
  versionsOf,
} from '../message.ts';
import { messageFromItem, messageItem } from '../message-item.ts';
import {
  joinStatements,
  type OptOutStatement,
  optOutPrefix,
  receiptOf,
  statementId,
  statementsFromItem,
} from '../opt-out/opt-out.ts';
import { optOutItem } from '../opt-out/opt-out-item.ts';
import { replyFromItem, replyItem } from '../reply-item.ts';

/**
 * What a join finds about an item of a copy.
 *
 * - `equal`: the item is the same in both.
 * - `newer`: the history has everything of the copy, and more, or an earlier time of something that both have.
 * - `added`: the history does not have the item.
 * - `completed`: the copy has a report, version, statement, number or earlier time that the history lacks.
 * - `conflict`: both have the same report or version, the same entry of a quarantine or the same receipt with another content; if the copy is
 *   preferred, also a report or version with another time.
 * - `repaired`: nothing is missing, but attributes of the history's item do not follow from its reports.
 * - `broken`: the history's item cannot be read, and stays as it is.
 * - `erased`: the item is about a person who was erased after it was received.
 */
export type JoinOutcome =
  | 'equal'
  | 'newer'
  | 'added'
  | 'completed'
  | 'conflict'
  | 'repaired'
  | 'broken'
  | 'erased';

/** The persons who were erased. */
export interface ErasedPersons {
  /**
   * Returns until when everything that was received about a number is erased, ISO 8601 in UTC; undefined if nothing is.
   *
   * @param number as it is written in the item
   */
  until(number: string, kind: 'history' | 'opt-out'): string | undefined;
}

export interface JoinRules extends HistorySettings {
  /** Whether opt-outs count by source. */
  readonly optOutsBySource: boolean;
  /** Whether the copy is right about reports and versions that both have with another content. */
  readonly prefersCopy: boolean;
  /** Whether the write publishes nothing. */
  readonly isQuiet: boolean;
  readonly erased: ErasedPersons;
}

/** What a join does with an item. */
export interface JoinedItem {
  readonly outcome: JoinOutcome;
  /** What is to be written; undefined if nothing is. */
  readonly write?: { readonly Item: Item } & Partial<Condition>;
}

/** How items of one kind are joined. */
interface Kind<T> {
  /** @throws UnreadableItemError */
  read(item: Item): T;
  join(a: T, b: T): T;
  /** Joins so that the copy decides about what both have. */
  joinPreferring(copy: T, stored: T): T;
  /** Returns the content of each fact by its id. The join of two values has the facts of both. */
  facts(value: T): ReadonlyMap<string, string>;
  /** Removes what was received about erased persons; undefined if nothing is left. */
  withoutErased(value: T, erased: ErasedPersons): T | undefined;
  item(value: T, stored: Item | undefined, generation: string, rules: JoinRules): Item;
}

const messages: Kind<Message> = {
  read: messageFromItem,
  join: (a, b) => foldMessages([a, b]),
  joinPreferring(copy, stored) {
    const { importedBy, withoutImports, ...joined } = foldMessages([copy, stored]);
    return {
      ...joined,
      ...copy,
      ...omitUndefined({ importedBy, withoutImports }),
      events: preferring(copy.events, stored.events),
    };
  },
  facts: ({ events, phone, sendId }) =>
    new Map([
      ...[...events].map(([id, entry]) => [`report ${id}`, contentOf(entry)] as const),
      ...(phone === undefined ? [] : [['number', phoneKey(phone)] as const]),
      ...(sendId === undefined ? [] : [['send', sendId] as const]),
    ]),
  withoutErased(message, erased) {
    const until = message.phone === undefined ? undefined : erased.until(message.phone, 'history');
    if (until === undefined) return message;
    const left = [...message.events].filter(([, { receivedAt }]) => receivedAt > until);
    const [first] = left.map(([, { receivedAt }]) => receivedAt).sort();
    if (first === undefined) return undefined;
    const firstSeenAt = message.firstSeenAt > until ? message.firstSeenAt : first;
    return { ...message, firstSeenAt, events: new Map(left) };
  },
  item: (message, stored, generation, rules) =>
    messageItem(message, generation, expiryAfter([...message.events.values()], stored, rules), rules),
};

const replies: Kind<Reply> = {
  read: replyFromItem,
  join: (a, b) => foldReplies([a, b]),
  joinPreferring: (copy, stored) => replyFrom(copy.replyId, preferring(versionsOf(copy), versionsOf(stored))),
  facts: (reply) => new Map([...versionsOf(reply)].map(([id, entry]) => [id, contentOf(entry)])),
  withoutErased(reply, erased) {
    const left = [...versionsOf(reply)].filter(
      ([, { from, receivedAt }]) => receivedAt > (erased.until(from, 'history') ?? ''),
    );
    return left.length === 0 ? undefined : replyFrom(reply.replyId, new Map(left));
  },
  item: (reply, stored, generation, rules) =>
    replyItem(reply, generation, expiryAfter([...versionsOf(reply).values()], stored, rules), rules),
};

const optOuts: Kind<readonly OptOutStatement[]> = {
  read: statementsFromItem,
  join: joinStatements,
  joinPreferring(copy, stored) {
    const ids = new Set(copy.map(statementId));
    return joinStatements([], [...copy, ...stored.filter((one) => !ids.has(statementId(one)))]);
  },
  // A statement may have another time in the copy, and the earlier one counts. That is no contradiction.
  facts: (statements) => new Map(statements.map((one) => [statementId(one), ''])),
  withoutErased(statements, erased) {
    // In doubt the person is opted out: an opt-in counts as received when it was said.
    const left = statements.filter(
      (one) => (one.state === 'out' ? receiptOf(one) : one.at) > (erased.until(one.phone, 'opt-out') ?? ''),
    );
    return left.length === 0 ? undefined : left;
  },
  item: (statements, _stored, _generation, rules) => optOutItem(statements, rules),
};

/** Joins entries by their event ids. Of what one reporter says in both, the copy's is kept. */
function preferring<E extends StatusEntry | ReplyEntry>(
  copy: ReadonlyMap<string, E>,
  stored: ReadonlyMap<string, E>,
): ReadonlyMap<string, E> {
  const joined = new Map(stored);
  for (const [id, entry] of copy) {
    const known = stored.get(id);
    joined.set(id, known === undefined ? entry : joinCopiesPreferring(entry, known));
  }
  return joined;
}

const kinds: ReadonlyMap<string, Kind<unknown>> = new Map<string, Kind<unknown>>([
  [messagePrefix, messages],
  [replyPrefix, replies],
  [optOutPrefix, optOuts],
]);

/** The beginnings of the keys of what is joined. */
export const joinedPrefixes = [messagePrefix, replyPrefix, optOutPrefix] as const;

function kindOf(key: string): Kind<unknown> | undefined {
  for (const [prefix, kind] of kinds) if (key.startsWith(prefix)) return kind;
  return undefined;
}

/**
 * Joins an item of a copy of the history into the history. The result is the union of the reports, versions or statements of both, so neither the
 * order of joins nor their number matters.
 *
 * @param copy a message, a reply or an opt-out
 * @param stored the item with the same key in the history; undefined if there is none
 * @param generation what the item is known by if it is written
 * @throws UnreadableItemError if the copy cannot be read
 */
export function joinItem(
  copy: Item,
  stored: Item | undefined,
  generation: string,
  rules: JoinRules,
): JoinedItem {
  const kind = kindOf(copy.pk?.S ?? '');
  if (kind === undefined) throw new UnreadableItemError('no message, reply or opt-out');
  return joinAs(kind, copy, stored, generation, rules);
}

function joinAs<T>(
  kind: Kind<T>,
  copy: Item,
  stored: Item | undefined,
  generation: string,
  rules: JoinRules,
): JoinedItem {
  const value = kind.withoutErased(kind.read(copy), rules.erased);
  if (value === undefined) return { outcome: 'erased' };
  const quiet = rules.isQuiet ? { [quietAttribute]: { BOOL: true } } : {};
  const write = (joined: T) => ({
    Item: {
      ...kind.item(joined, stored, generation, rules),
      pk: stored?.pk ?? copy.pk ?? {},
      ...quiet,
    } as Item,
    ...conditionOn(stored),
  });
  if (stored === undefined) return { outcome: 'added', write: write(value) };
  const here = ifReadable(() => kind.read(stored));
  if (here === undefined)
    return rules.prefersCopy ? { outcome: 'repaired', write: write(value) } : { outcome: 'broken' };
  const joined = rules.prefersCopy ? kind.joinPreferring(value, here) : kind.join(here, value);
  const outcome = compare(kind.facts(value), kind.facts(here));
  const isComplete = outcome === 'equal' || outcome === 'newer';
  const isStoredAs = (one: T) => {
    const expected = kind.item(one, stored, generation, { ...rules, listShards: 1 });
    // The key of an id with half a surrogate pair is a hash, which does not follow from the id as it is stored.
    return isSameState(stored, { ...expected, pk: stored.pk ?? {} } as Item, rules);
  };
  if (!isStoredAs(joined)) {
    // Both have the same facts, and the copy has another time of one.
    const ofTime = rules.prefersCopy ? 'conflict' : 'completed';
    return {
      outcome: !isComplete ? outcome : isStoredAs(here) ? ofTime : 'repaired',
      write: write(joined),
    };
  }
  // The history may have an earlier time of a fact, which is the one that counts. The register drops old statements, which it does not lack.
  const isNewer = outcome === 'completed' || (outcome === 'equal' && !isStoredAs(value));
  return { outcome: isNewer ? 'newer' : outcome };
}

function compare(
  copy: ReadonlyMap<string, string>,
  here: ReadonlyMap<string, string>,
): 'equal' | 'newer' | 'completed' | 'conflict' {
  const missing = [...copy.keys()].filter((id) => !here.has(id));
  if ([...copy].some(([id, content]) => here.has(id) && here.get(id) !== content)) return 'conflict';
  if (missing.length > 0) return 'completed';
  return here.size > copy.size ? 'newer' : 'equal';
}

function expiryAfter(
  entries: readonly { readonly receivedAt: string }[],
  stored: Item | undefined,
  rules: JoinRules,
): number {
  return Math.max(Number(stored?.expiresAt?.N ?? 0), latestExpiry(entries, rules));
}

/** Attributes whose values are no part of the state of an item. Whether it has them is: without them it cannot be written, or never expires. */
const incidental: ReadonlySet<string> = new Set(['generation', 'expiresAt']);

/** Returns whether an item has the attributes that follow from its facts, in whichever shard of its lists it is. @param expected in the first shard */
function isSameState(stored: Item, expected: Item, { listShards }: JoinRules): boolean {
  const names = new Set(
    [...Object.keys(stored), ...Object.keys(expected)].filter((name) => name !== quietAttribute),
  );
  return [...names].every((name) => {
    const [a, b] = [stored[name], expected[name]];
    if (incidental.has(name)) return typeOf(a) === typeOf(b);
    if ((name === 'listName' || name === 'sendList') && a?.S !== undefined && b?.S !== undefined)
      return listKeys(b.S, listShards).includes(a.S);
    return isDeepStrictEqual(a, b);
  });
}

const typeOf = (value: Item[string] | undefined) => Object.keys(value ?? {})[0];

/** Returns the condition that an item is still as it was read. */
function conditionOn(stored: Item | undefined): Condition | Partial<Condition> {
  const name = stored?.generation === undefined ? 'statements' : 'generation';
  const value = stored?.[name];
  if (value !== undefined)
    return {
      ConditionExpression: '#read = :read',
      ExpressionAttributeNames: { '#read': name },
      ExpressionAttributeValues: { ':read': value },
    };
  return {
    ConditionExpression: `attribute_not_exists(#read)`,
    ExpressionAttributeNames: { '#read': stored === undefined ? 'pk' : 'generation' },
  };
}

/** Returns when the facts of an item were received or said: the first and the last time, ISO 8601 in UTC. @throws UnreadableItemError */
export function timesOf(item: Item): readonly [first: string, last: string] {
  const key = item.pk?.S ?? '';
  const times = key.startsWith(messagePrefix)
    ? [...messageFromItem(item).events.values()].map(({ receivedAt }) => receivedAt)
    : key.startsWith(replyPrefix)
      ? [...versionsOf(replyFromItem(item)).values()].map(({ receivedAt }) => receivedAt)
      : statementsFromItem(item).map(receiptOf);
  const sorted = times.toSorted();
  return [sorted[0] ?? '', sorted.at(-1) ?? ''];
}

/** An id that ends in a period of receipt: the service gave the reply neither an id nor a time. */
const idWithPeriod = /^[\w-]{43}\.[0-9a-z]+$/;

/** Returns the keys under which a history may have the same reply, if two pipelines received it in periods of their own. */
export function keysOfSameReply(copy: Item): readonly string[] {
  const reply = replyFromItem(copy);
  return idWithPeriod.test(splitId(reply.replyId).id) ? idsOfCopies(reply.replyId).map(replyKey) : [];
}

/** Returns whether two items are one reply that two pipelines received. An item of the history that cannot be read is another one. */
export function isSameReply(copy: Item, stored: Item | undefined): boolean {
  const here = stored && ifReadable(() => replyFromItem(stored));
  return here !== undefined && areCopies(replyFromItem(copy).current.receivedAt, here.current.receivedAt);
}
