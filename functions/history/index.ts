export { deliveryTime } from './delivery-time.ts';
export { driftDayFromItem, driftKey, driftPrefix, mismatchPrefix } from './drift-item.ts';
export type { ObserveDrift } from './drift-store.ts';
export type { HistoryWriter, StoreOutcome } from './history-write-store.ts';
export {
  expiryOf,
  type HistorySettings,
  historyIndexes,
  type Item,
  keyOf,
  listKey,
  listKeys,
  messageKey,
  messagePrefix,
  numberKey,
  replyKey,
  replyPrefix,
  UnreadableItemError,
} from './item-keys.ts';
export { CursorError, decodeCursor, encodeCursor } from './lists/cursor.ts';
export type { HistoryLists, HistoryReader } from './lists/history-list-store.ts';
export type { OptOutReader } from './lists/opt-out-read-store.ts';
export { type Entry, type Group, readPage, type Stretch } from './lists/read-page.ts';
export {
  changesOf,
  compareByTime,
  compareEntries,
  compareText,
  contentOf,
  contradictionOf,
  decidingEntry,
  firstReceiptOf,
  foldMessages,
  foldReplies,
  hasConflict,
  isFinal,
  type Message,
  messageOf,
  probeMessagePrefix,
  type Reply,
  type ReplyEntry,
  replaces,
  replyOf,
  type StatusEntry,
  staleEventId,
  type TimelineEntry,
  versionsOf,
} from './message.ts';
export { messageFromItem, phoneOf } from './message-item.ts';
export { createKeywords, createStopHints, type KeywordOf } from './opt-out/keyword.ts';
export {
  type EntryByHand,
  isSameStatement,
  joinStatements,
  type OptOut,
  type OptOutChange,
  type OptOutStatement,
  optOutChangeFromItem,
  optOutKey,
  optOutPrefix,
  readFailure,
  readStatement,
  sourceId,
  statementByHand,
  statementsFromItem,
} from './opt-out/opt-out.ts';
export type { OptOutRegister } from './opt-out/opt-out-store.ts';
export { replyFromItem, timelineEntryFromItem } from './reply-item.ts';
export { HistoryRecordError, itemOfImage, mapsUnder, requireTexts } from './stream-record.ts';
