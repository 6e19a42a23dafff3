export { createDriftObserver, createDriftRegister, readDriftDay } from './drift-store.ts';
export { createHistoryWriter } from './history-write-store.ts';
export { randomGeneration } from './item-keys.ts';
export { readItems } from './item-read-store.ts';
export {
  createHistoryLists,
  createHistoryReader,
  readMessageItem,
  readMessages,
} from './lists/history-list-store.ts';
export { createOptOutReader } from './lists/opt-out-read-store.ts';
export { createOptOutRegister } from './opt-out/opt-out-store.ts';
export { undoImport } from './undo-import-store.ts';
