import { z } from 'zod';
import { type LambdaCounts, lambdaMetricsSchema, noLambdaCounts } from '../support/local-pipeline.ts';

/** The services whose calls can be spoiled. */
export const services = ['sqs', 'dynamodb', 'secretsmanager', 'events', 'sms-service'] as const;
export type Service = (typeof services)[number];

/** The faults of a call; local/gateway/faults.ts defines their effects. */
export const faultKinds = ['refuse', 'throttle', 'hang', 'fail', 'reset', 'drop'] as const;
export type FaultKind = (typeof faultKinds)[number];

/** The calls that are spoiled, and how. */
export interface Fault {
  /** A function's label, or `<label> poller` if Lambda calls in the function's name. Absent for the SMS service. */
  readonly caller?: string;
  readonly service: Service;
  /** For example `UpdateItem`. If it is absent, every operation is spoiled. */
  readonly operation?: string;
  readonly kind: FaultKind;
  /** The number of matching calls that succeed first. */
  readonly after?: number;
  /** The number of calls that are spoiled; null for all calls until the fault is removed. */
  readonly calls?: number | null;
}

const stateSchema = z.object({
  faults: z.array(z.looseObject({ kind: z.string(), hit: z.number(), abandoned: z.number() })),
});

/** The faults of the functions' processes, by label. A function without an entry has no fault. */
export type FunctionFaults = Readonly<
  Record<string, { readonly invokeTwice?: boolean; readonly clockOffsetMs?: number }>
>;

const connectionsSchema = z.object({
  connections: z.array(z.object({ hit: z.number(), requestsLost: z.number() })),
});

/** The ways in which a function's connections end; local/gateway/connection-faults.ts defines them. */
export type ConnectionFate = 'close' | 'reset' | 'lose';

/** Spoils calls and processes of a run on this machine. */
export type FaultControl = ReturnType<typeof faultControl>;

/** @param port the first of the pipeline's five */
export function faultControl(port: number) {
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port + 4}/local/${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} /local/${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  return {
    /** Replaces all faults of calls. */
    set: async (faults: readonly Fault[]) => void (await call('PUT', 'faults', { faults })),
    /** Returns the calls spoiled so far, and the hung calls that the caller gave up, of one of the active faults, by its index. */
    counts: async (index = 0) =>
      stateSchema.parse(await call('GET', 'faults')).faults[index] ?? { hit: 0, abandoned: 0 },
    /** Returns the calls spoiled so far, by the kind of fault. */
    hits: async () => {
      const hits = new Map<string, number>();
      for (const { kind, hit } of stateSchema.parse(await call('GET', 'faults')).faults)
        hits.set(kind, (hits.get(kind) ?? 0) + hit);
      return hits;
    },
    clear: async () => void (await call('DELETE', 'faults')),
    /** Ends the connections that a function has to services now. @param caller label of the function */
    endConnections: async (caller: string, fate: ConnectionFate) =>
      void (await call('PUT', 'connections', { connections: [{ caller, fate }] })),
    /** Returns the number of connections that were ended, and of requests that were sent on them since. */
    endedConnections: async () => {
      const { connections } = connectionsSchema.parse(await call('GET', 'connections'));
      return connections[0] ?? { hit: 0, requestsLost: 0 };
    },
    /** Returns the processes of the function with this label. */
    functionCounts: async (label: string): Promise<LambdaCounts> => {
      const { functions } = lambdaMetricsSchema.parse(await call('GET', 'lambda/metrics'));
      return functions[label] ?? noLambdaCounts;
    },
    /** Replaces all faults of functions. */
    setFunctions: async (functions: FunctionFaults) =>
      void (await call('PUT', 'lambda/faults', { functions })),
  };
}
