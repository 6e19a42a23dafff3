import type { OptOutAccess } from '../../../cli/stores/opt-outs.ts';
import { areCopies } from '../../../contract/events/equal-replies.ts';
import { mainSource, splitId } from '../../../contract/events/source-id.ts';
import { phoneKey } from '../../../contract/phone/phone-key.ts';
import { outcomeOf } from '../../../contract/schema/sms-event.ts';
import type { OptOutReader } from '../../../functions/automations/opt-out/opt-out-read-store.ts';
import { changesOf, compareText } from '../../../functions/history/entry.ts';
import type { HistoryWriter } from '../../../functions/history/history-write-store.ts';
import type { StoredMessage } from '../../../functions/history/item-keys.ts';
import type {
  HistoryReader,
  StoredHistoryLists,
} from '../../../functions/history/lists/history-list-store.ts';
import type {
  RegisteredNumber,
  OptOutReader as StatementReader,
} from '../../../functions/history/lists/opt-out-read-store.ts';
import { type Entry, readPage } from '../../../functions/history/lists/read-page.ts';
import type {
  Ordered,
  Page,
  PageRequest,
  Selected,
  SourceFilter,
  StatusFilter,
  TimeRange,
} from '../../../functions/history/lists/time-range.ts';
import {
  asStored,
  compareEntries,
  decidingEntry,
  firstReceiptOf,
  importsIn,
  type Message,
  maxEventsPerMessage,
  mergeMessages,
  mergeReplies,
  type Reply,
  type TimelineEntry,
  versionsOf,
} from '../../../functions/history/message.ts';
import {
  isOutOf,
  joinStatements,
  limitedToSource,
  type OptOut,
  type OptOutChange,
  type OptOutStatement,
  stateAt,
  statementByHand,
  stateOfNumber,
} from '../../../functions/history/opt-out/opt-out.ts';
import type { OptOutRegister } from '../../../functions/history/opt-out/opt-out-store.ts';
import type { StaleMarker } from '../../../functions/history/sweep/stale-marker-store.ts';

/** What a history begins with. */
export interface Content {
  readonly messages?: readonly Message[];
  readonly replies?: readonly Reply[];
  readonly optOuts?: readonly OptOut[];
  readonly optOutsBySource?: boolean;
}

/** A history in memory: its writer, reader and lists, the opt-out register, and the marker of the sweep. */
export interface MemoryHistory extends HistoryWriter, HistoryReader, StoredHistoryLists {
  readonly register: OptOutRegister & OptOutReader & StatementReader;
  /** The register as an operator uses it. */
  readonly optOutAccess: OptOutAccess;
  readonly marker: StaleMarker;
  erase(messageId: string): void;
}

/** The limit of DynamoDB for an item. */
const maxItemBytes = 400_000;
const dayMs = 86_400_000;

/** Behaves as the table and its indexes do, without their lag and without the replacement of lone surrogates. */
export function memoryHistory(content: Content = {}, retentionDays = 400): MemoryHistory {
  let writes = 0;
  const stored = (message: Message, expiresAt = 0): StoredMessage => ({
    ...message,
    pk: `message#${message.messageId}`,
    generation: String(++writes),
    expiresAt: Math.max(
      expiresAt,
      ...[...message.events.values()].map(
        ({ receivedAt }) => Date.parse(receivedAt) / 1000 + (retentionDays * dayMs) / 1000,
      ),
    ),
  });
  const messages = new Map((content.messages ?? []).map((one) => [one.messageId, stored(one)]));
  const replies = new Map((content.replies ?? []).map((one) => [one.replyId, one]));
  const statements = new Map<string, OptOutStatement[]>(
    (content.optOuts ?? []).map((one) => [phoneKey(one.phone), [{ ...one, state: 'out' }]]),
  );

  function stateOf(phone: string): OptOutChange | undefined {
    const said = statements.get(phoneKey(phone)) ?? [];
    return stateOfNumber(said, content.optOutsBySource === true);
  }

  async function number(phone: string): Promise<RegisteredNumber | undefined> {
    const state = stateOf(phone);
    return state && { ...state, statements: statements.get(phoneKey(phone)) ?? [] };
  }

  /** One page of the selected entries, cut as the lists of the table are. */
  async function pageOf<T>(
    identity: readonly string[],
    values: Iterable<T>,
    entryOf: (value: T) => Entry,
    { since = '', until = '~', where, order }: TimeRange & Selected<T> & Ordered,
    page: PageRequest,
  ): Promise<Page<T>> {
    const rows = [...values].map((value) => ({ ...entryOf(value), value }));
    const isOldestFirst = order === 'oldest';
    rows.sort((a, b) => compareText(b.at, a.at) || compareText(b.key, a.key));
    if (isOldestFirst) rows.reverse();
    const list = {
      isOldestFirst,
      groups: [{ partitions: ['all'], from: since, to: until }],
      read: async ({ after, limit }: { readonly after?: Entry; readonly limit: number }) =>
        rows
          .filter(({ at, key }) => at >= since && at < until && isBehind({ at, key }, after, isOldestFirst))
          .slice(0, limit),
    };
    const load = async (entries: readonly (Entry & { readonly value?: T })[]) =>
      entries.map(({ value }) =>
        value && where?.accepts(value) !== false ? { value, bytes: bytesOf(value) } : undefined,
      );
    return readPage({ list, identity: [...identity, ...(where?.identity ?? [])], load }, page);
  }

  const selected = (outcome: string | undefined, { statuses, source }: StatusFilter & SourceFilter) =>
    [...messages.values()].filter((message) => {
      const { rank, status } = decidingEntry(message);
      if (source !== undefined && splitId(message.messageId).source !== source) return false;
      const isListed = outcome === undefined || outcomeOf(rank) === outcome;
      return isListed && (statuses === undefined || statuses.some((one) => one === status));
    });
  const repliesOf = ({ source }: SourceFilter) =>
    [...replies.values()].filter(({ replyId }) => source === undefined || splitId(replyId).source === source);
  const named = ({ statuses = [], source }: StatusFilter & SourceFilter) => [
    ...[...statuses].sort(),
    ...(source === undefined ? [] : ['source', source]),
  ];

  return {
    async storeMessage(message) {
      const old = messages.get(message.messageId);
      const { added, replaced } = changesOf(message.events.values(), old?.events);
      const byDecision = added.toSorted((a, b) => compareEntries(b, a));
      const raises = old !== undefined && (byDecision[0]?.rank ?? 0) > decidingEntry(old).rank;
      const free = Math.max(maxEventsPerMessage - (old?.events.size ?? 0), raises ? 1 : 0);
      const refused = byDecision.slice(free).map(({ eventId }) => eventId);
      const fitting = new Map([...message.events].filter(([id]) => !refused.includes(id)));
      const arrived = { ...message, events: fitting };
      // The position in the lists is that of the report that was stored first.
      const merged = old ? { ...mergeMessages(arrived, old), firstSeenAt: old.firstSeenAt } : arrived;
      if (bytesOf([...merged.events.values()]) > maxItemBytes) return { kind: 'unstorable' };
      const repeated = [...message.events.keys()].filter((id) => old?.events.has(id)).length;
      const isChange =
        added.length + replaced.length > refused.length ||
        !isAddressedAlike(merged, old) ||
        importsIn(merged) !== importsIn(old ?? message);
      if (isChange) messages.set(message.messageId, stored(merged, old?.expiresAt));
      return { kind: 'stored', stored: added.length - refused.length, repeated, refused };
    },

    async storeReply(reply, copyIds = []) {
      const copies = copyIds.flatMap((id) => replies.get(id) ?? []);
      const copy = copies.find(({ current }) => areCopies(current.receivedAt, reply.current.receivedAt));
      if (copy !== undefined) return { kind: 'stored', stored: 0, repeated: 1, refused: [], reply: copy };
      if (bytesOf([...versionsOf(reply).values()]) > maxItemBytes) return { kind: 'unstorable' };
      const old = replies.get(reply.replyId);
      const merged = old === undefined ? reply : mergeReplies(reply, old);
      const { added } = changesOf(versionsOf(merged).values(), old && versionsOf(old));
      replies.set(reply.replyId, merged);
      const repeated = versionsOf(reply).size - added.length;
      const arrived = merged.current.parts === undefined ? asStored(reply, merged) : merged;
      return { kind: 'stored', stored: added.length, repeated, refused: [], reply: arrived };
    },

    async message(messageId) {
      const found = messages.get(messageId);
      if (found === undefined) return undefined;
      const { pk: _pk, generation: _generation, expiresAt: _expiresAt, ...message } = found;
      return message;
    },
    reply: async (replyId) => replies.get(replyId),

    phone({ phone, ...query }, page) {
      const isOfNumber = (text: string | undefined) =>
        text !== undefined && phoneKey(text) === phoneKey(phone);
      const sent = selected(undefined, query).filter((message) => isOfNumber(message.phone));
      const received =
        query.statuses === undefined
          ? repliesOf(query).filter(({ current }) => isOfNumber(current.from))
          : [];
      const entries: readonly TimelineEntry[] = [
        ...sent.map((message) => ({ kind: 'message', message }) as const),
        ...received.map((reply) => ({ kind: 'reply', reply }) as const),
      ];
      return pageOf(['phone', ...named(query)], entries, timelineEntry, query, page);
    },
    send: ({ sendId, ...query }, page) =>
      pageOf(
        ['send', sendId, ...named(query)],
        selected(undefined, query).filter((message) => message.sendId === sendId),
        ({ firstSeenAt: at, messageId: key }) => ({ at, key }),
        query,
        page,
      ),
    failed: (query, page) =>
      pageOf(
        ['failed', ...named(query)],
        selected('failure', query),
        (message) => ({ at: decidingEntry(message).occurredAt, key: message.messageId }),
        query,
        page,
      ),
    unknown: (query, page) =>
      pageOf(
        ['unknown', ...named(query)],
        selected('unknown', query),
        (message) => ({ at: decidingEntry(message).occurredAt, key: message.messageId }),
        query,
        page,
      ),
    pending: (query, page) =>
      pageOf<StoredMessage>(
        ['pending', ...named(query)],
        selected('open', query),
        ({ firstSeenAt: at, messageId: key }) => ({ at, key }),
        query,
        page,
      ),
    replies: (query, page) =>
      pageOf(
        ['replies', ...named(query)],
        repliesOf(query),
        ({ current, replyId: key }) => ({ at: current.occurredAt, key }),
        query,
        page,
      ),
    optOuts: (query, page) =>
      pageOf(
        ['opt-outs', ...named(query)],
        [...statements.values()].flatMap(([newest]) => {
          if (newest?.state !== 'out') return [];
          if (query.source !== undefined && !isOutOf(query.source, newest)) return [];
          const { state: _, eventId: _id, ...optOut } = newest;
          return [optOut];
        }),
        ({ at, phone: key }) => ({ at, key }),
        query,
        page,
      ),

    register: {
      async record(...said) {
        const [first] = said;
        if (first === undefined) return;
        const key = phoneKey(first.phone);
        const kept = content.optOutsBySource === true ? said.map(limitedToSource) : said;
        statements.set(key, joinStatements(statements.get(key) ?? [], kept));
      },
      async read(phone) {
        const state = stateAt(mainSource, statements.get(phoneKey(phone)) ?? []);
        return state && { state };
      },
      number,
    },

    optOutAccess: {
      bySource: content.optOutsBySource === true,
      async recordByHand(entry, known) {
        const key = phoneKey(entry.phone);
        const statement = statementByHand(entry, known?.statements[0]);
        statements.set(key, joinStatements(statements.get(key) ?? [], [statement]));
      },
      number,
    },

    marker: {
      async mark({ messageId, generation }, report) {
        const known = messages.get(messageId);
        const isUnchanged = known?.generation === generation;
        if (known === undefined || !isUnchanged || known.expiresAt <= Date.parse(report.receivedAt) / 1000)
          return 'changed';
        const events = new Map([...known.events, [report.eventId, report]]);
        messages.set(messageId, stored({ ...known, events }, known.expiresAt));
        return 'marked';
      },
    },

    erase: (messageId) => void messages.delete(messageId),
  };
}

function timelineEntry(entry: TimelineEntry): Entry {
  return entry.kind === 'message'
    ? { at: entry.message.firstSeenAt, key: `message#${entry.message.messageId}` }
    : { at: firstReceiptOf(entry.reply), key: `reply#${entry.reply.replyId}` };
}

function isAddressedAlike(a: Message, b: Message | undefined): boolean {
  return a.phone === b?.phone && a.sendId === b?.sendId;
}

function isBehind(entry: Entry, after: Entry | undefined, isOldestFirst: boolean): boolean {
  if (after === undefined) return true;
  const order = compareText(after.at, entry.at) || compareText(after.key, entry.key);
  return isOldestFirst ? order < 0 : order > 0;
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
