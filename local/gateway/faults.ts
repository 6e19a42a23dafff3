import type { ServerResponse } from 'node:http';
import * as z from 'zod';
import { services } from '../services/services.ts';
import { SMS_SERVICE } from './service-error.ts';

/** A call, as faults select it. */
export interface FaultyCall {
  /** A function's label, for example `worker`, or `worker poller` for Lambda itself; undefined: the caller is not known. */
  readonly caller: string | undefined;
  /** The name of an AWS service, or `sms-service`. */
  readonly service: string;
  /** For example `UpdateItem`; of the SMS service `<METHOD> <path>`. */
  readonly operation: string;
}

const schema = z.strictObject({
  faults: z.array(
    z
      .strictObject({
        /** The caller whose calls fail; missing: every caller. */
        caller: z.string().min(1).optional(),
        service: z.enum([...services.map(({ name }) => name), SMS_SERVICE]),
        /** The operation that fails; missing: every operation. */
        operation: z.string().min(1).optional(),
        kind: z.enum(['refuse', 'throttle', 'hang', 'fail', 'reset', 'drop']),
        /** The number of matching calls that pass first. */
        after: z.int().min(0).default(0),
        /** The number of calls that fail; null: all, until the faults are replaced. */
        calls: z.int().min(1).nullable().default(null),
      })
      .refine(({ service, caller }) => service !== SMS_SERVICE || caller === undefined, {
        path: ['caller'],
        message: 'the caller of the SMS service is not known: leave it out',
      })
      .refine(({ service, operation = 'GET /' }) => service !== SMS_SERVICE || /^[A-Z]+ \//.test(operation), {
        path: ['operation'],
        message: 'for the SMS service expected <METHOD> <path>',
      }),
  ),
});

type Fault = z.output<typeof schema>['faults'][number];

interface Counts {
  /** The calls that match. */
  seen: number;
  /** The calls that the fault hit. */
  hit: number;
  /** The hanging calls that the client abandoned. */
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

/** The faults that the gateway applies to calls. */
export class Faults {
  #active: readonly ActiveFault[] = [];
  readonly #hanging = new Set<ServerResponse>();

  /** The faults as they were set, with their counts since then. */
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

  /** Counts a call. Returns undefined if no fault hits it. */
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
