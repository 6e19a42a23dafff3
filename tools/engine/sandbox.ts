import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import * as z from 'zod';
import { defaultRecipient, type Report, timeOf } from './reports.ts';

const state = z.object({
  webhook: z.object({ rotations: z.number() }),
  contacts: z.array(z.object({ phone: z.string() })),
  deliveries: z.object({ signsWithNewestOnly: z.boolean() }),
});

const faults = z.object({ refuseContacts: z.object({ calls: z.number() }).nullable() });

/** The results of the events that the sandbox sent; `at` is milliseconds after `startedAt`. */
const summary = z.object({
  startedAt: z.string(),
  sent: z.number(),
  accepted: z.number(),
  failed: z.array(
    z.object({
      event: z.number(),
      status: z.union([z.number(), z.enum(['timeout', 'network'])]),
      at: z.number(),
    }),
  ),
});

/** Events under way at once, at most: where the machine is slow the pace gives way, and no event waits for its answer until it times out. */
const maxUnderWay = 100;

/** The control routes of the SMS service's sandbox. */
export type Sandbox = ReturnType<typeof sandboxAt>;

interface Card {
  readonly id: string;
  readonly validate: string;
  readonly default: boolean;
}

export function sandboxAt(url: string) {
  async function call(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<unknown> {
    // Sending is answered when all is sent: fetch would give up after five minutes.
    const outgoing = request(url + path, { method, ...(signal !== undefined && { signal }) });
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    const [response]: IncomingMessage[] = await once(outgoing, 'response');
    if (response === undefined) throw new Error(`${method} ${path}: no answer`);
    const text = Buffer.concat(await response.toArray()).toString();
    if (response.statusCode !== 200) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
    return JSON.parse(text);
  }
  const readState = async () => state.parse(await call('GET', '/sandbox/state'));
  return {
    setFaults: async (faults: Readonly<Record<string, unknown>>) =>
      void (await call('PUT', '/sandbox/faults', faults)),
    /** The number of calls of "create contact" that it will still refuse. */
    refusalsLeft: async () => faults.parse(await call('GET', '/sandbox/faults')).refuseContacts?.calls ?? 0,
    rotateElsewhere: async () => void (await call('POST', '/sandbox/webhook', { rotate: true })),
    /** Has events sent to another address from now on. */
    changeUrl: async (url: string) => void (await call('POST', '/sandbox/webhook', { url })),
    /** The saved cards from now on. */
    setCards: async (data: readonly Card[]) => void (await call('PUT', '/sandbox/cards', { data })),
    /** Numbers of the contacts it has. */
    contacts: async (): Promise<ReadonlySet<string>> =>
      new Set((await readState()).contacts.map(({ phone }) => phone)),
    /** The number of times that the service has rotated its secret. */
    rotations: async () => (await readState()).webhook.rotations,
    /** Returns whether no event is under way, or will be sent, that is signed with an older secret than the newest. */
    signsWithNewestOnly: async () => (await readState()).deliveries.signsWithNewestOnly,
    /** Sends each report once, at this pace or as fast as the pipeline answers; ends when all are answered, or it is aborted. */
    send: async (reports: readonly Report[], ratePerSecond: number, signal: AbortSignal) => {
      const events = reports.map(({ messageId, status, second, to = defaultRecipient }) => ({
        kind: 'sms.status',
        fields: { messageId, recipient: to, status, occurredAt: timeOf(second) },
      }));
      const options = { ratePerSecond, concurrency: maxUnderWay, attempts: 1, repeats: 0 };
      return summary.parse(await call('POST', '/sandbox/events', { events, options }, signal));
    },
  };
}
