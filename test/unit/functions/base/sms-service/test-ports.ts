import { createHttpFetch, type Ports } from '../../../../../functions/base/http-client.ts';

/** Ports under the test's control: time stands still, except that sleeping moves it on without waiting. */
export function createTestPorts({ now = Date.parse('2026-01-15T12:00:00.000Z'), random = 0.5 } = {}) {
  let time = now;
  const sleeps: number[] = [];
  const timeouts: number[] = [];
  let latest = new AbortController();
  const ports: Ports = {
    fetch: createHttpFetch(Date.now),
    clock: () => time,
    sleep: async (ms) => {
      sleeps.push(ms);
      time += ms;
    },
    random: () => random,
    timeoutSignal: (ms) => {
      timeouts.push(ms);
      latest = new AbortController();
      return latest.signal;
    },
  };
  return {
    ports,
    /** The pauses that were made, in milliseconds. */
    sleeps,
    /** The time limits that were asked for, in milliseconds. */
    timeouts,
    advance(ms: number) {
      time += ms;
    },
    /** Ends the try that is under way as its time limit would. */
    expire: () => latest.abort(new DOMException('too late', 'TimeoutError')),
  };
}
