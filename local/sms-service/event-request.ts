import * as z from 'zod';
import { e164 } from '../../contract/phone/phone-key.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { rankOf } from '../../contract/schema/sms-event.ts';
import { omitUndefined } from '../../functions/base/basics.ts';
import { parseJson } from '../aws-protocol/http.ts';
import { type Problem, problemsOf } from './router.ts';

/** How an event is sent. */
const sending = {
  /** The id of the event; a new one by default. An id that is sent twice is a repeat. */
  id: z.string().min(1).optional(),
  /** The time at which it is signed and received, ISO 8601; now by default. Only the HTTP API of a local run follows another time. */
  at: z.iso.datetime().optional(),
  /** Signs it with a secret that is not the webhook's. */
  isForged: z.boolean().default(false),
};

const event = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.enum(['sms.status', 'sms.reply']),
    fields: z.record(z.string(), z.string()),
    ...sending,
  }),
  /** A body as it is, with an event that the contract cannot describe. */
  z.strictObject({ kind: z.literal('body'), body: z.string(), ...sending }),
]);

/** The default number of concurrent copies, without and with `ratePerSecond`. */
const defaultConcurrency = { closedLoop: 10, openLoop: 1_000 };

const sendFields = z.strictObject({
  /** The maximum number of extra copies of each event. */
  repeats: z.int().min(0).max(20).default(0),
  /** Whether the copies of all events are mixed. */
  shuffle: z.boolean().default(false),
  /** The maximum pause before a copy is sent, in milliseconds. */
  delayMs: z.int().min(0).max(60_000).default(0),
  /** The maximum number of concurrent copies; 10 by default, 1,000 with `ratePerSecond`. */
  concurrency: z.int().min(1).max(2_000).optional(),
  /** The number of copies started in each second, independent of answers, as far as `concurrency` allows. */
  ratePerSecond: z.int().min(1).max(1_000).optional(),
  /** The maximum number of attempts of each copy. */
  attempts: z.int().min(1).max(100).default(3),
  /** The same seed gives the same copies, order and pauses. */
  seed: z.int().optional(),
});

const sendOptions = sendFields.transform(({ concurrency, ...options }) => {
  const { closedLoop, openLoop } = defaultConcurrency;
  return {
    ...options,
    concurrency: concurrency ?? (options.ratePerSecond === undefined ? closedLoop : openLoop),
  };
});

export type SandboxEvent = z.output<typeof event>;
export type SendOptions = z.output<typeof sendOptions>;

const list = z.array(event).min(1).max(100_000);
const eventRequest = z.strictObject({ events: list, options: z.record(z.string(), z.unknown()).default({}) });

export interface EventRequest {
  readonly events: readonly SandboxEvent[];
  readonly options: SendOptions;
}

export type ParsedEventRequest =
  | ({ readonly kind: 'ok' } & EventRequest)
  | { readonly kind: 'error'; readonly problems: readonly Problem[] };

/** A message to a number, and what becomes of it. */
const message = z.strictObject({
  to: z.string().regex(e164, 'must be a phone number in E.164, such as +12025550143'),
  /** A word of the service, or a canonical status. */
  status: z.string().min(1).default('delivered'),
  sendId: z.string().min(1).optional(),
  errorCode: z.string().min(1).optional(),
  errorText: z.string().min(1).optional(),
});

/**
 * Reads the body of `POST /sandbox/messages`: the message is reported with the requested status, and before that as sent, if the service has
 * a word for that and the requested status replaces it.
 *
 * @param now when both happen, ISO 8601
 * @param statuses the words of the service with their canonical statuses
 */
export function reportsOfMessage(
  text: string,
  { messageId, now, statuses }: { messageId: string; now: string; statuses: Contract['statuses'] },
): ParsedEventRequest {
  const parsed = message.safeParse(parseJson(text));
  if (!parsed.success) return { kind: 'error', problems: problemsOf(parsed.error) };
  const { to: recipient, status, ...more } = parsed.data;
  const fields = { messageId, recipient, occurredAt: now, ...omitUndefined({ sendId: more.sendId }) };
  const { errorCode, errorText } = more;
  const last = { ...fields, status, ...omitUndefined({ errorCode, errorText }) };
  const listed = Object.values(statuses);
  const canonical = new Map(Object.entries(statuses)).get(status) ?? listed.find((one) => one === status);
  const replacesSent = canonical !== undefined && rankOf(canonical) > rankOf('sent');
  const reports = replacesSent && listed.includes('sent') ? [{ ...fields, status: 'sent' }, last] : [last];
  const events = reports.map((each) => ({
    kind: 'sms.status' as const,
    isForged: false,
    fields: each,
  }));
  return { kind: 'ok', events, options: sendOptions.parse({ concurrency: 1 }) };
}

/** Reads the body of `POST /sandbox/events`, a list or `{ events, options }`. Options of the query take precedence. */
export function parseEventRequest(text: string, query: URLSearchParams): ParsedEventRequest {
  const body = parseJson(text);
  const request = eventRequest.safeParse(Array.isArray(body) ? { events: body } : body);
  const optionsOfBody = request.success ? request.data.options : {};
  const options = sendOptions.safeParse({ ...optionsOfBody, ...optionsOfQuery(query) });
  if (request.success && options.success)
    return { kind: 'ok', events: request.data.events, options: options.data };
  const problems = [
    ...(request.success ? [] : problemsOf(request.error)),
    ...(options.success
      ? []
      : problemsOf(options.error).map(({ path, message }) => ({ path: `options.${path}`, message }))),
  ];
  return { kind: 'error', problems };
}

function optionsOfQuery(query: URLSearchParams): Record<string, unknown> {
  return Object.fromEntries([...query].map(([name, text]) => [name, readOption(text)]));
}

function readOption(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+$/.test(text) ? Number(text) : text;
}
