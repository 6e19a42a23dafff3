import * as z from 'zod';
import { type Answer, errorAnswer, ok, parseJson, problemsOf, type Route } from './router.ts';

const refusalNames = {
  422: 'ValidationError',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
} as const;

const calls = z.int().min(0).max(1_000);
const delayMs = z.int().min(0).max(600_000).default(0);

/** The next `calls` calls are answered with `status`, and nothing else comes of them. */
const refusal = z.strictObject({
  status: z.literal([422, 429, 500, 503]),
  calls,
  /** The header `Retry-After`; null sends none. */
  retryAfterSeconds: z.int().min(0).max(3_600).nullable().default(null),
});

const faults = z.strictObject({
  /** "Set webhook" applies a change at once and answers so many milliseconds later. */
  answerDelayMs: delayMs,
  /** "Set webhook" applies a change only after so many milliseconds, also where the client has given up by then. */
  applyDelayMs: delayMs,
  /** The next so many changes are applied and never answered: the connection stays open until the client gives up. */
  dropAnswers: calls.default(0),
  /** The next so many changes, after the dropped ones, are applied and answered with 500. */
  failAnswers: calls.default(0),
  /** Calls of "set webhook" that are refused, before the quota and before anything is read of them. */
  refuse: refusal.nullable().default(null),
  /** Calls of "read webhook" that are refused. */
  refuseReads: refusal.nullable().default(null),
  /** A secret signs events only so many milliseconds after its rotation; until then the one before does. */
  oldSecretForMs: delayMs,
});

/** `PUT /sandbox/faults`: what is missing is off. */
const faultsInput = faults.extend({
  /** Once, now: all tokens given out so far are refused with 401 from here on. */
  expireTokens: z.boolean().default(false),
});

/** What `GET /sandbox/faults` shows; the counts are those that are left. */
type FaultSettings = z.output<typeof faults>;

/** What becomes of the answer to a change that was applied. */
type AnswerFate = 'sent' | 'failed' | 'dropped';

/** The ways in which the sandbox behaves badly, as it was told to. */
export interface Faults {
  readonly routes: readonly Route[];
  current(): FaultSettings;
  /** Takes one of the calls to be refused: its answer, or undefined where none is left. */
  takeRefusal(kind: 'refuse' | 'refuseReads'): Answer | undefined;
  /** Takes one of the answers to be spoiled. */
  takeAnswerFate(): AnswerFate;
}

/** `PUT /sandbox/faults` replaces all faults, `GET /sandbox/faults` shows them. */
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
      const { expireTokens: expires, ...wanted } = input.data;
      settings = wanted;
      if (expires) expireTokens();
      return ok(settings);
    },
  };

  return {
    routes: [show, replace],
    current: () => settings,
    takeRefusal(kind) {
      const refused = settings[kind];
      if (refused === null || refused.calls === 0) return undefined;
      settings = { ...settings, [kind]: { ...refused, calls: refused.calls - 1 } };
      const { status, retryAfterSeconds } = refused;
      const headers = retryAfterSeconds === null ? {} : { 'retry-after': String(retryAfterSeconds) };
      return errorAnswer(status, refusalNames[status], 'Refused, as the sandbox was told to', [], headers);
    },
    takeAnswerFate() {
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
