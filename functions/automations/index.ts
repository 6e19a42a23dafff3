export { quarterMs } from './delivery-watch/rules/counters.ts';
export { newestDue, quartersOf, sameHoursOfWeeks } from './delivery-watch/rules/same-hours.ts';
export { watchEvent } from './delivery-watch/watch-events.ts';
