import * as z from 'zod';
import { parseJson } from '../aws-protocol/http.ts';
import { type Answer, errorAnswer, ok, problemsOf, type Route } from './router.ts';

const refusalNames = {
  422: 'ValidationError',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
} as const;

const calls = z.int().min(0).max(1_000);
const delayMs = z.int().min(0).max(600_000).default(0);

/** The sandbox answers the next `calls` calls with `status` and does nothing else. */
const refusal = z.strictObject({
  status: z.literal([422, 429, 500, 503]),
  calls,
  /** The header `Retry-After`; null sends none. */
  retryAfterSeconds: z.int().min(0).max(3_600).nullable().default(null),
});

const faults = z.strictObject({
  /** "Set webhook" applies a change at once and delays the answer by this many milliseconds. */
  answerDelayMs: delayMs,
  /** "Set webhook" applies a change after this many milliseconds, even if the client has timed out by then. */
  applyDelayMs: delayMs,
  /** The number of next changes that are applied and never answered. The connection stays open until the client times out. */
  dropAnswers: calls.default(0),
  /** The number of next changes, after those without an answer, that are applied and answered with 500. */
  failAnswers: calls.default(0),
  /** Refuses calls of "set webhook", before the quota and before their body is read. */
  refuse: refusal.nullable().default(null),
  /** Refuses calls of "read webhook". */
  refuseReads: refusal.nullable().default(null),
  /** Refuses calls of "create contact". */
  refuseContacts: refusal.nullable().default(null),
  /** Refuses lookups. */
  refuseLookups: refusal.nullable().default(null),
  /** The number of next messages in answers to lookups that have the state before the present one. */
  staleAnswers: z.int().min(0).max(1_000_000).default(0),
  /** The share of events that are never posted: 0 posts all, 1 posts none. Lookups know their messages nevertheless. */
  dropEvents: z.number().min(0).max(1).default(0),
  /** For this many milliseconds after a rotation the previous secret signs the events. */
  oldSecretForMs: delayMs,
});

/** The body of `PUT /sandbox/faults`. A fault that is missing is off. */
const faultsInput = faults.extend({
  /** Invalidates all tokens of earlier exchanges once: they are refused with 401. */
  expireTokens: z.boolean().default(false),
});

/** The settings that `GET /sandbox/faults` shows. Their counts are the remaining ones. */
type FaultSettings = z.output<typeof faults>;

/** The outcome of the answer to a change that was applied. */
type AnswerOutcome = 'sent' | 'failed' | 'dropped';

/** The faults of the sandbox. */
export interface Faults {
  readonly routes: readonly Route[];
  current(): FaultSettings;
  /** Returns the answer of the next call if it is to be refused, and counts it. */
  nextRefusal(kind: 'refuse' | 'refuseReads' | 'refuseContacts' | 'refuseLookups'): Answer | undefined;
  /** Returns whether the next message of a lookup has its earlier state, and counts it. */
  isNextAnswerStale(): boolean;
  /** Returns the outcome of the next answer, and counts it. */
  nextAnswerOutcome(): AnswerOutcome;
}

/** Makes `PUT /sandbox/faults`, which replaces all faults, and `GET /sandbox/faults`, which shows them. */
export function createFaults(expireTokens: () => void): Faults {
  let settings = faults.parse({});

  const show: Route = {
    method: 'GET',
    path: '/sandbox/faults',
    isProtected: false,
    answer: () => ok(settings),
  };
  const replace: Route = {
    method: 'PUT',
    path: '/sandbox/faults',
    isProtected: false,
    answer: ({ text }) => {
      const input = faultsInput.safeParse(parseJson(text));
      if (!input.success)
        return errorAnswer(422, 'ValidationError', 'The faults are not valid', problemsOf(input.error));
      const { expireTokens: expires, ...newSettings } = input.data;
      settings = newSettings;
      if (expires) expireTokens();
      return ok(settings);
    },
  };

  return {
    routes: [show, replace],
    current: () => settings,
    nextRefusal(kind) {
      const refused = settings[kind];
      if (refused === null || refused.calls === 0) return undefined;
      settings = { ...settings, [kind]: { ...refused, calls: refused.calls - 1 } };
      const { status, retryAfterSeconds } = refused;
      const headers = retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) };
      return errorAnswer(
        status,
        refusalNames[status],
        'Refused by a fault that was set on the sandbox',
        [],
        headers,
      );
    },
    isNextAnswerStale() {
      const { staleAnswers } = settings;
      if (staleAnswers === 0) return false;
      settings = { ...settings, staleAnswers: staleAnswers - 1 };
      return true;
    },
    nextAnswerOutcome() {
      const { dropAnswers, failAnswers } = settings;
      if (dropAnswers > 0) {
        settings = { ...settings, dropAnswers: dropAnswers - 1 };
        return 'dropped';
      }
      if (failAnswers === 0) return 'sent';
      settings = { ...settings, failAnswers: failAnswers - 1 };
      return 'failed';
    },
  };
}
