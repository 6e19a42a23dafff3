import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import type { AnyService } from './service-error.ts';

/** A call, as far as somebody who wants it to fail needs to know. */
export interface FaultyCall {
  /** A function's label, for example `worker`, or `worker poller` for Lambda itself; undefined: not known. */
  readonly caller: string | undefined;
  readonly service: AnyService;
  /** For example `UpdateItem`; of the SMS service `<METHOD> <path>`. */
  readonly operation: string;
}

const schema = z.strictObject({
  faults: z.array(
    z
      .strictObject({
        /** Who is hit; missing: whoever calls. */
        caller: z.string().min(1).optional(),
        service: z.enum(['dynamodb', 'sqs', 'secretsmanager', 'events', 'sns', 'lambda', 'sms-service']),
        /** What is hit; missing: every operation. */
        operation: z.string().min(1).optional(),
        kind: z.enum(['refuse', 'throttle', 'hang', 'fail', 'reset', 'drop']),
        /** So many matching calls pass first. */
        after: z.int().min(0).default(0),
        /** So many are hit, then it is over; null: until it is replaced. */
        calls: z.int().min(1).nullable().default(null),
      })
      .refine(({ service, caller }) => service !== 'sms-service' || caller === undefined, {
        path: ['caller'],
        message: 'of the SMS service nobody knows who calls it: leave it out',
      })
      .refine(
        ({ service, operation = 'GET /' }) => service !== 'sms-service' || /^[A-Z]+ \//.test(operation),
        {
          path: ['operation'],
          message: 'of the SMS service expected <METHOD> <path>',
        },
      ),
  ),
});

type Fault = z.output<typeof schema>['faults'][number];

interface Counts {
  /** Calls that match. */
  seen: number;
  /** Calls that it spoiled. */
  hit: number;
  /** Hung calls that the client gave up. */
  abandoned: number;
}

interface ActiveFault extends Counts {
  readonly fault: Fault;
}

type FaultState = Fault & Readonly<Counts>;

/** A call that a fault hit. */
export interface Hit {
  readonly kind: Fault['kind'];
  /** Leaves the call without an answer until its client gives up, or the faults are replaced. */
  hang(response: ServerResponse): void;
}

/** What is to go wrong with which calls, as the gateway was told. */
export class Faults {
  #active: readonly ActiveFault[] = [];
  readonly #hanging = new Set<ServerResponse>();

  /** Each as it was given, with its counts since then. */
  get state(): { readonly faults: readonly FaultState[] } {
    return {
      faults: this.#active.map(({ fault, seen, hit, abandoned }) => ({ ...fault, seen, hit, abandoned })),
    };
  }

  /** @throws ZodError */
  replace(input: unknown): void {
    const { faults } = schema.parse(input);
    this.#active = faults.map((fault) => ({ fault, seen: 0, hit: 0, abandoned: 0 }));
    for (const response of this.#hanging) {
      this.#hanging.delete(response);
      response.socket?.resetAndDestroy();
    }
  }

  /** Counts a call; undefined: nothing is to go wrong with it. */
  take(call: FaultyCall): Hit | undefined {
    const matching = this.#active.filter(({ fault }) => matches(fault, call));
    const taking = matching.find(({ fault, hit }) => fault.calls === null || hit < fault.calls);
    for (const each of matching) each.seen += 1;
    if (!taking || taking.seen <= taking.fault.after) return undefined;
    taking.hit += 1;
    return { kind: taking.fault.kind, hang: (response) => this.#hang(taking, response) };
  }

  #hang(active: ActiveFault, response: ServerResponse): void {
    if (response.destroyed) {
      active.abandoned += 1;
      return;
    }
    this.#hanging.add(response);
    response.once('close', () => {
      if (this.#hanging.delete(response)) active.abandoned += 1;
    });
  }
}

function matches({ caller, service, operation }: Fault, call: FaultyCall): boolean {
  return (
    service === call.service &&
    (caller === undefined || caller === call.caller) &&
    (operation === undefined || operation === call.operation)
  );
}
