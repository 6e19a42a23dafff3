/** The alarms that a burst can set off, as the stack makes them; of seconds. */
export const alarmRules = {
  /** EventsQueueBehind, of the age of the oldest message. */
  behind: { threshold: 300, periodSeconds: 60, periods: 3 },
  /** EventsMessagesFailing, of how long a message has been failing. */
  failing: { threshold: 300, periodSeconds: 300, periods: 1 },
} as const;
