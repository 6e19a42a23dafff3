export {
  type BoundedRange,
  boundedRange,
  daysOf,
  EmptyRangeError,
  maxPageSize,
  type Page,
  type PageRequest,
  requireRange,
  type Selection,
  type SourceFilter,
  type StatusFilter,
  type TimeRange,
} from './lists/time-range.ts';
export type { KeywordList } from './opt-out/keyword.ts';
