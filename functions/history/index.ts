// Messages and replies: joining reports, and deciding the status.

export { deliveryTime } from './delivery-time.ts';
export { changesOf, compareText, contentOf, replaces } from './entry.ts';
export {
  channelOf,
  compareByTime,
  compareEntries,
  contradictionOf,
  costAndRouteOf,
  decidingEntry,
  firstReceiptOf,
  foldMessages,
  foldReplies,
  hasConflict,
  importsIn,
  importsOfReply,
  isFinal,
  listedTime,
  type Message,
  messageOf,
  probeMessagePrefix,
  type Reply,
  type ReplyEntry,
  replyFrom,
  replyOf,
  type StatusEntry,
  staleEventId,
  type TimelineEntry,
  versionsOf,
} from './message.ts';

// Opt-outs.

export { createKeywords, createStopHints, type KeywordOf } from './opt-out/keyword.ts';
export { keywordsJsonSchema, parseKeywords } from './opt-out/keyword-list.ts';
export {
  aboutSource,
  causeOf,
  countingStatements,
  type EntryByHand,
  isSameStatement,
  joinStatements,
  keywordOfReply,
  type OptOut,
  type OptOutChange,
  type OptOutStatement,
  optOutChangeFromItem,
  optOutKey,
  optOutPrefix,
  readFailure,
  readStatement,
  receiptOf,
  stateAt,
  statementByHand,
  statementsFromItem,
  timesOfStatement,
} from './opt-out/opt-out.ts';

// Items: their keys, and reading them.

export { driftDayFromItem, driftKey, driftPrefix, mismatchPrefix } from './drift-item.ts';
export {
  type Condition,
  erasurePrefix,
  erasuresList,
  expiryOf,
  type HistorySettings,
  hashPrefix,
  historyIndexes,
  type Item,
  ifReadable,
  keyOf,
  listKey,
  listKeys,
  messageKey,
  messagePrefix,
  numberKey,
  quietAttribute,
  replyKey,
  replyPrefix,
  sharedRepliesList,
  stateOf,
  textIn,
  UnreadableItemError,
  unchangedCondition,
} from './item-keys.ts';
export { idIn, messageFromItem, phoneOf } from './message-item.ts';
export { replyFromItem, replyItem, timelineEntryFromItem } from './reply-item.ts';
export { HistoryRecordError, itemOfImage, mapsUnder, requireTexts } from './stream-record.ts';

// Joining another copy of the history.

export {
  type ErasedPersons,
  isSameReply,
  type JoinedItem,
  type JoinOutcome,
  type JoinRules,
  joinedPrefixes,
  joinItem,
  keysOfSameReply,
  timesOf,
} from './join/join-item.ts';

// Lists: pages and cursors.

export { CursorError, decodeCursor, encodeCursor, errorBehind } from './lists/cursor.ts';
export { digitSpellings } from './lists/digit-spellings.ts';
export { type Entry, type Group, readPage, type Stretch } from './lists/read-page.ts';

// The types of what io.ts makes.

export type { ObserveDrift } from './drift-store.ts';
export type { HistoryWriter, StoreOutcome } from './history-write-store.ts';
export type { HistoryLists, HistoryReader } from './lists/history-list-store.ts';
export type { OptOutReader, RegisteredNumber } from './lists/opt-out-read-store.ts';
export type { OptOutSettings } from './opt-out/opt-out-item.ts';
export type { OptOutRegister } from './opt-out/opt-out-store.ts';
export type { UndoneItems, UndoOptions } from './undo-import-store.ts';
