/** One of the things that call others and may die: a run of setup, an instance of ingest, the worker. */
export interface Actor {
  alive: boolean;
  /** Its process stands still until then: it sends nothing and takes no answer. */
  frozenUntil?: number;
}

interface Call {
  readonly actor: Actor;
  /** Performs the call at the other side, once; gives what is to be answered. */
  perform: (() => () => void) | undefined;
  answer: (() => void) | undefined;
  /** A sleep ends no earlier. */
  readonly dueAt: number;
  /** A call that is performed at all is performed by then. */
  readonly performBy: number;
}

/**
 * Time and the order of things. Every call waits in here twice: until it is performed, and until its answer arrives. In which
 * order the calls of all actors move on is the schedule's choice. An actor that was killed gets no answer any more, and what
 * it had asked for may still be performed.
 */
export class Schedule {
  now: number;
  #calls: Call[] = [];
  #alarms: { readonly at: number; readonly ring: () => void }[] = [];

  constructor(start: number) {
    this.now = start;
  }

  /**
   * @param withinMs how long it may take until it is performed, at most
   * @param notBeforeMs how long it takes at least
   */
  call<T>(actor: Actor, perform: () => T, withinMs = Number.POSITIVE_INFINITY, notBeforeMs = 0): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#calls.push({
        actor,
        perform: () => {
          try {
            const value = perform();
            return () => resolve(value);
          } catch (error) {
            return () => reject(error);
          }
        },
        answer: undefined,
        dueAt: this.now + notBeforeMs,
        performBy: this.now + withinMs,
      });
    });
  }

  /** Has something happen when time has come so far. */
  at(time: number, ring: () => void): void {
    this.#alarms.push({ at: time, ring });
  }

  sleep(actor: Actor, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const dueAt = this.now + ms;
      this.#calls.push({
        actor,
        perform: () => resolve,
        answer: undefined,
        dueAt,
        performBy: Number.POSITIVE_INFINITY,
      });
    });
  }

  /** Moves one waiting call on. @returns false where none can move */
  async step(pick: number): Promise<boolean> {
    this.#calls = this.#calls.filter(({ actor, perform }) => actor.alive || perform !== undefined);
    const movable = this.#calls.filter((call) => movableAt(call) <= this.now);
    const call = movable[pick % Math.max(1, movable.length)];
    if (call === undefined) return false;
    if (call.perform !== undefined) {
      call.answer = call.perform();
      call.perform = undefined;
    } else {
      this.#calls = this.#calls.filter((other) => other !== call);
      call.answer?.();
      await settled();
    }
    return true;
  }

  /** Lets time pass; what has to be performed by then is. */
  async tick(ms: number): Promise<void> {
    const until = this.now + ms;
    for (;;) {
      const [alarm] = this.#alarms.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at);
      this.#pass(alarm?.at ?? until);
      if (alarm === undefined) break;
      this.#alarms = this.#alarms.filter((other) => other !== alarm);
      alarm.ring();
      await settled();
    }
    await settled();
  }

  #pass(until: number): void {
    for (const call of this.#calls)
      if (call.perform !== undefined && call.performBy < until && movableAt(call) < until) {
        call.answer = call.perform();
        call.perform = undefined;
      }
    this.now = until;
  }

  /** Lets everything happen that is under way, sleeps included. */
  async finish(): Promise<void> {
    for (;;) {
      while (await this.step(0));
      const [next] = this.#calls.map(movableAt).sort((one, other) => one - other);
      if (next === undefined) return;
      await this.tick(next - this.now);
    }
  }
}

/** Resolves once every actor waits for a call again. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function movableAt({ actor, dueAt }: Call): number {
  return Math.max(dueAt, actor.alive ? (actor.frozenUntil ?? 0) : 0);
}
