/** Below this an amount of messages is what rounding left over. */
export const nothing = 1e-6;

/** Messages that arrived in the same second and were received equally often. */
export interface Cohort {
  readonly arrivedAt: number;
  readonly receives: number;
  /** Undefined until then. */
  readonly firstReceivedAt?: number;
  /** Since when it can be received. */
  readonly visibleAt: number;
  readonly messages: number;
}

/** The visible messages, the longest visible first. */
export function createQueue() {
  let cohorts: Cohort[] = [];
  let waiting = 0;
  return {
    add: (cohort: Cohort): void => {
      if (cohort.messages <= 0) return;
      cohorts.push(cohort);
      waiting += cohort.messages;
    },
    waiting: (): number => waiting,
    /** Takes so many of those that were visible at a time, the longest visible first. */
    take: (most: number, visibleAt: number): Cohort[] => {
      const taken: Cohort[] = [];
      let left = most;
      let whole = 0;
      for (const cohort of cohorts) {
        if (left <= 0 || cohort.visibleAt > visibleAt) break;
        const messages = Math.min(left, cohort.messages);
        taken.push({ ...cohort, messages });
        left -= messages;
        if (messages < cohort.messages) {
          cohorts[whole] = { ...cohort, messages: cohort.messages - messages };
          break;
        }
        whole += 1;
      }
      cohorts = cohorts.slice(whole);
      waiting = cohorts.length === 0 ? 0 : waiting - messagesIn(taken);
      return taken;
    },
  };
}

/** The messages that count for the age of the oldest, by the second of their arrival. */
export function createAges() {
  const left: number[] = [];
  let oldest = 0;
  return {
    add: (arrivedAt: number, messages: number): void => {
      left[arrivedAt] = messages;
    },
    remove: (arrivedAt: number, messages: number): void => {
      left[arrivedAt] = (left[arrivedAt] ?? 0) - messages;
    },
    oldest: (now: number): number => {
      while (oldest < left.length && (left[oldest] ?? 0) < nothing) oldest += 1;
      return now - Math.min(oldest, now);
    },
  };
}

export function messagesIn(cohorts: readonly Cohort[]): number {
  return cohorts.reduce((total, { messages }) => total + messages, 0);
}
