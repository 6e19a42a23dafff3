import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import * as z from 'zod';
import { type Report, timeOf } from './reports.ts';

const state = z.object({
  webhook: z.object({ rotations: z.number() }),
  contacts: z.array(z.object({ phone: z.string() })),
  deliveries: z.object({ signsWithNewestOnly: z.boolean() }),
});

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

/** The results of the events that the sandbox sent; `at` is milliseconds after `startedAt`. */
type SendSummary = z.output<typeof summary>;

/** Events under way at once, at most: where the machine is slow the pace gives way, and no event waits for its answer until it times out. */
const maxUnderWay = 100;

/** The control routes of the SMS service's sandbox. */
export interface Sandbox {
  setFaults(faults: Readonly<Record<string, unknown>>): Promise<void>;
  rotateElsewhere(): Promise<void>;
  /** Has events sent to another address from now on. */
  changeUrl(url: string): Promise<void>;
  /** The saved cards from now on. */
  setCards(
    cards: readonly { readonly id: string; readonly validate: string; readonly default: boolean }[],
  ): Promise<void>;
  /** Numbers of the contacts it has. */
  contacts(): Promise<ReadonlySet<string>>;
  /** The number of times that the service has rotated its secret. */
  rotations(): Promise<number>;
  /** Returns whether no event is under way, or will be sent, that is signed with an older secret than the newest. */
  signsWithNewestOnly(): Promise<boolean>;
  /** Sends each report once, at this pace or as fast as the pipeline answers; ends when all are answered, or it is aborted. */
  send(reports: readonly Report[], ratePerSecond: number, signal: AbortSignal): Promise<SendSummary>;
}

export function sandboxAt(url: string): Sandbox {
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
  return {
    setFaults: async (faults) => void (await call('PUT', '/sandbox/faults', faults)),
    rotateElsewhere: async () => void (await call('POST', '/sandbox/webhook', { rotate: true })),
    changeUrl: async (url) => void (await call('POST', '/sandbox/webhook', { url })),
    setCards: async (cards) => void (await call('PUT', '/sandbox/cards', { data: cards })),
    contacts: async () => {
      const { contacts } = state.parse(await call('GET', '/sandbox/state'));
      return new Set(contacts.map(({ phone }) => phone));
    },
    rotations: async () => state.parse(await call('GET', '/sandbox/state')).webhook.rotations,
    signsWithNewestOnly: async () =>
      state.parse(await call('GET', '/sandbox/state')).deliveries.signsWithNewestOnly,
    send: async (reports, ratePerSecond, signal) => {
      const events = reports.map(({ messageId, status, second }) => ({
        kind: 'sms.status',
        fields: { messageId, recipient: '+12025550143', status, occurredAt: timeOf(second) },
      }));
      const options = { ratePerSecond, concurrency: maxUnderWay, attempts: 1, repeats: 0 };
      return summary.parse(await call('POST', '/sandbox/events', { events, options }, signal));
    },
  };
}
