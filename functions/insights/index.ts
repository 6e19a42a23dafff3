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
export { messageContribution } from './counters/contributions.ts';
export { codeNames } from './counters/count-names.ts';
export {
  firstReportOf,
  keyAttributes,
  keyOfItem,
  nameOf,
  sendTimeIndex,
  timeAttribute,
} from './counters/counter-items.ts';
export type {
  CounterReads,
  DayFigures,
  QuarterFigures,
  SendFigures,
} from './counters/counter-read-store.ts';
export type { CounterRetention, CounterWriter } from './counters/counter-write-store.ts';
export { countryOf } from './counters/country.ts';
export { quantile, timeOf } from './counters/delivery-times.ts';
export type { CohortDelta } from './counters/deltas.ts';
export { type Figures, figuresOf } from './counters/figures.ts';
export { cohortName, countedState, type LoggedChange, type Positions, Recount } from './counters/recount.ts';
export { checkpointKey, paddedSequence } from './counters/shard-state.ts';
export { addTallies, isEmpty, negated, type Tally, tallyOfItem, withoutNegative } from './counters/tally.ts';
export { countedPrefixes } from './counting/stream-changes.ts';
