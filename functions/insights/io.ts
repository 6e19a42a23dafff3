export { readCodes } from './counters/code-store.ts';
export { readCounters } from './counters/counter-item-store.ts';
export { createCounterReads } from './counters/counter-read-store.ts';
export { createCounterWriter, maxCounts } from './counters/counter-write-store.ts';
