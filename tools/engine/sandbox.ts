import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import * as z from 'zod';
import { defaultRecipient, type Report, timeOf } from './reports.ts';

const state = z.object({
  webhook: z.object({ url: z.string(), rotations: z.number() }),
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

/** The maximum number of events under way. On a slow machine the sandbox then sends more slowly, and no event waits until its timeout. */
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
    // The sandbox answers when all events are sent. `fetch` would time out after five minutes.
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
    /** Returns the address to which the service sends events; empty without one. */
    url: async () => (await readState()).webhook.url,
    /** Changes the address to which the service sends events. */
    changeUrl: async (url: string) => void (await call('POST', '/sandbox/webhook', { url })),
    /** Replaces the saved cards. */
    setCards: async (data: readonly Card[]) => void (await call('PUT', '/sandbox/cards', { data })),
    /** Returns the numbers of the contacts. */
    contacts: async (): Promise<ReadonlySet<string>> =>
      new Set((await readState()).contacts.map(({ phone }) => phone)),
    /** The number of times that the service has rotated its secret. */
    rotations: async () => (await readState()).webhook.rotations,
    /** Returns whether the service signs all events with its newest secret, also those that are under way. */
    signsWithNewestOnly: async () => (await readState()).deliveries.signsWithNewestOnly,
    /** Sends each report once, at this rate or as fast as the pipeline answers. Resolves when all reports are answered, or at the abort. */
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
