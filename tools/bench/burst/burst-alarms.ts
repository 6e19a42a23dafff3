/** The alarms that a burst can set off, as the stack makes them; of seconds. */
export const alarmRules = {
  /** EventsQueueBehind, of the age of the oldest message. */
  behind: { threshold: 300, periodSeconds: 60, periods: 3 },
  /** EventsMessagesFailing, of how long a message has been failing. */
  failing: { threshold: 300, periodSeconds: 300, periods: 1 },
} as const;

/** When an alarm goes off: its metric's largest value reaches the threshold in so many periods after each other. */
interface AlarmRule {
  readonly threshold: number;
  readonly periodSeconds: number;
  readonly periods: number;
}

/**
 * When an alarm is on, in seconds from the first value: at the earliest, for CloudWatch looks when a period is over, and some time
 * after that. `to` is undefined where it was still on at the end.
 *
 * @param values the metric, one value a second
 */
export function timesOn(
  values: readonly number[],
  { threshold, periodSeconds, periods }: AlarmRule,
): { readonly from: number; readonly to: number | undefined }[] {
  const times: { from: number; to: number | undefined }[] = [];
  let breaching = 0;
  for (let end = periodSeconds; end - periodSeconds < values.length; end += periodSeconds) {
    const highest = Math.max(...values.slice(end - periodSeconds, end));
    breaching = highest >= threshold ? breaching + 1 : 0;
    const last = times.at(-1);
    if (breaching === periods) times.push({ from: end, to: undefined });
    else if (breaching === 0 && last !== undefined && last.to === undefined) last.to = end;
  }
  return times;
}
