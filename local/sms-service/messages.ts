import * as z from 'zod';
import { type CanonicalStatus, canonicalStatuses, rankOf } from '../../contract/schema/sms-event.ts';
import type { Faults } from './faults.ts';
import { errorAnswer, ok, problemsOf, type Route, type SandboxRequest } from './router.ts';

/** A message as the service knows it. The sandbox defines these fields, because the service's document does not show them; contract.json maps them. */
interface KnownMessage {
  readonly id: string;
  readonly send_id: string | undefined;
  readonly to: string | undefined;
  readonly created_at: string;
  status: string;
  status_at: string;
  error_code: string | undefined;
  error_message: string | undefined;
  price: string | undefined;
  currency: string | undefined;
  segments: string | undefined;
  network: string | undefined;
  /** The state before the present one, for answers that are stale. */
  before: Pick<KnownMessage, 'status' | 'status_at' | 'error_code' | 'error_message'> | undefined;
}

/** The messages whose events the sandbox was asked to send, whether the events arrived or not. */
export interface Messages {
  readonly routes: readonly Route[];
  /** Returns how many requests asked for messages, refused ones included. */
  lookups(): number;
  /** Takes note of a delivery report. @param fields by the contract's names */
  report(fields: Readonly<Record<string, string>>): void;
}

/** Sends of one number have this id, as long as the event names none. */
const sendOf = ({ send_id, id }: KnownMessage) => send_id ?? `single-${id}`;

const pageQuery = z.object({
  page: z.coerce.number().int().min(1).default(1),
  per_page: z.coerce.number().int().min(1).max(500).default(100),
});
const listQuery = pageQuery.extend({ created_from: z.iso.datetime(), created_to: z.iso.datetime() });

/**
 * Makes the lookups "list sends", "list the numbers of one send" and "show one number". The service's document names them without paths and
 * fields, so these are the sandbox's own.
 */
export function createMessages(faults: Faults): Messages {
  const messages = new Map<string, KnownMessage>();
  const bySend = new Map<string, KnownMessage[]>();

  function report(fields: Readonly<Record<string, string>>): void {
    const { messageId: id, status, occurredAt: at } = fields;
    if (id === undefined || status === undefined || at === undefined) return;
    const known = messages.get(id);
    const state = {
      status,
      status_at: at,
      error_code: fields.errorCode,
      error_message: fields.errorText,
    };
    if (known === undefined) {
      const { sendId: send_id, recipient: to, price, currency, segments, network } = fields;
      const cost = { price, currency, segments, network };
      const message = { id, send_id, to, created_at: at, ...state, ...cost, before: undefined };
      messages.set(id, message);
      const send = sendOf(message);
      bySend.set(send, [...(bySend.get(send) ?? []), message]);
      return;
    }
    if (rank(status) < rank(known.status)) return;
    const { status: oldStatus, status_at, error_code, error_message } = known;
    if (oldStatus !== status) known.before = { status: oldStatus, status_at, error_code, error_message };
    Object.assign(known, state);
  }

  function show(message: KnownMessage): Omit<KnownMessage, 'before'> {
    const { before, ...present } = message;
    return before !== undefined && faults.isNextAnswerStale() ? { ...present, ...before } : present;
  }

  let lookups = 0;

  /** Refuses the call by a fault, or answers it. */
  const lookUp = (answer: Route['answer']) => (request: SandboxRequest) => {
    lookups += 1;
    return faults.nextRefusal('refuseLookups') ?? answer(request);
  };

  return {
    report,
    lookups: () => lookups,
    routes: [
      {
        method: 'GET',
        path: /^\/v1\/sms\/numbers\/([^/]+)$/,
        isProtected: true,
        answer: lookUp(({ id }) => {
          const message = messages.get(id);
          return message === undefined
            ? errorAnswer(404, 'NotFound', 'No message has this id')
            : ok({ data: show(message) });
        }),
      },
      {
        method: 'GET',
        path: /^\/v1\/sms\/sends\/([^/]+)\/numbers$/,
        isProtected: true,
        answer: lookUp(({ id, query }) => {
          const all = bySend.get(id);
          return all === undefined
            ? errorAnswer(404, 'NotFound', 'No send has this id')
            : pageOf(all, query, pageQuery, show);
        }),
      },
      {
        method: 'GET',
        path: '/v1/sms/sends',
        isProtected: true,
        answer: lookUp(({ query }) => {
          const { created_from: from = '', created_to: to = '' } = Object.fromEntries(query);
          const sends = [...bySend].flatMap(([id, [first]]) =>
            first === undefined ? [] : [{ id, created_at: first.created_at }],
          );
          const isCreatedIn = ({ created_at: at }: { created_at: string }) =>
            Date.parse(at) >= Date.parse(from) && Date.parse(at) < Date.parse(to);
          return pageOf(sends.filter(isCreatedIn), query, listQuery, (send) => send);
        }),
      },
      {
        method: 'GET',
        path: '/sandbox/messages',
        isProtected: false,
        answer: () =>
          ok({
            data: [...messages.values()].map(({ id, status, status_at }) => ({ id, status, status_at })),
          }),
      },
    ],
  };
}

function pageOf<T, V>(
  all: readonly T[],
  query: URLSearchParams,
  schema: typeof pageQuery,
  show: (one: T) => V,
) {
  const parsed = schema.safeParse(Object.fromEntries(query));
  if (!parsed.success)
    return errorAnswer(422, 'ValidationError', 'The query is not valid', problemsOf(parsed.error));
  const { page, per_page: size } = parsed.data;
  const last_page = Math.max(1, Math.ceil(all.length / size));
  return ok({
    data: all.slice((page - 1) * size, page * size).map(show),
    meta: { current_page: page, last_page, per_page: size, total: all.length },
  });
}

/** A word that is no canonical status ranks below all of them. */
function rank(status: string): number {
  const canonical = canonicalStatuses.find((one): one is CanonicalStatus => one === status);
  return canonical === undefined ? -1 : rankOf(canonical);
}
