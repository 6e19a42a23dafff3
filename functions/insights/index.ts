// The keys under which counts are kept.

export {
  type Cohort,
  type CounterKey,
  cohortKey,
  cohortOfKey,
  dayMs,
  onlySort,
  quarterMs,
  sendList,
  waitingPrefix,
  waitingRepliesKey,
} from './counters/cohort.ts';
export {
  firstReportOf,
  keyAttributes,
  keyOfItem,
  nameOf,
  sendTimeIndex,
  timeAttribute,
} from './counters/counter-items.ts';
export { countryOf } from './counters/country.ts';
export { checkpointKey, paddedSequence } from './counters/shard-state.ts';

// What a message or a reply adds to the counts.

export { messageContribution } from './counters/contributions.ts';
export { codeNames } from './counters/count-names.ts';
export type { CohortDelta } from './counters/deltas.ts';
export { addTallies, isEmpty, negated, tallyOfItem, withoutNegative } from './counters/tally.ts';
export { countedPrefixes } from './counting/stream-changes.ts';

// Figures made from counts, and the recount that checks them.

export { quantile, timeOf } from './counters/delivery-times.ts';
export { type Figures, figuresOf } from './counters/figures.ts';
export { cohortName, countedState, type LoggedChange, type Positions, Recount } from './counters/recount.ts';
export { decimalOf } from './counters/spend.ts';

// The types of what io.ts makes.

export type {
  CounterReads,
  DayFigures,
  QuarterFigures,
  SendFigures,
} from './counters/counter-read-store.ts';
export type { CounterRetention, CounterWriter } from './counters/counter-write-store.ts';
