import { createLookupReader, type LookupAnswer } from '../../contract/lookups/lookup-answer.ts';
import {
  ForeignPageError,
  isDotSegment,
  type LookupQuestion,
  lookupRequest,
  NoSuchLookupError,
  withQuery,
} from '../../contract/lookups/lookup-request.ts';
import type { BundledContract, LookupsContract } from '../../contract/schema/contract-schema.ts';
import { type CallerOptions, createCaller, type Decode, type Operation } from '../base/sms-service/caller.ts';
import { err, ok, type Result } from '../base/sms-service/request.ts';
import { createSession } from '../base/sms-service/session.ts';
import { operationNames } from './problems.ts';

/** A page of an answer. */
type LookupPage = Extract<LookupAnswer, { readonly kind: 'page' }>;

/** Asks the service for messages. */
export interface ServiceLookups {
  /**
   * Asks for one page. A message or send that the service does not know (404) is a page without reports.
   *
   * @param page as the page before named it; undefined for the first one
   */
  ask(question: LookupQuestion, page: string | undefined): Promise<Result<LookupPage>>;
}

const unusableKey =
  'the secret with the API key does not hold "user:password", which the Basic authentication of "lookups" needs';

/** Connects to the service as `lookups` of the contract says. No call throws, and none sends more requests than `requestsPerSecond`. */
export function createServiceLookups(
  contract: BundledContract,
  lookups: LookupsContract,
  options: CallerOptions,
): ServiceLookups {
  const { ports, apiKey, baseUrl } = options;
  const { authentication, requestsPerSecond } = lookups;
  const read = createLookupReader(contract, lookups);
  const send = createSender(contract, authentication, options);
  const takeTurn = createPacer(1000 / requestsPerSecond, ports);
  const colon = apiKey.indexOf(':');
  const isBasic = authentication.kind === 'basic';
  const isUsableKey = !isBasic || (colon > 0 && colon < apiKey.length - 1 && !/\s/.test(apiKey));
  const user = isBasic ? apiKey.slice(0, colon) : undefined;

  return {
    async ask(question, page) {
      const name = operationNames[question.operation];
      // No service can be asked for such an id, and none gives one.
      if (isDotSegment(idOf(question))) return ok(unknown);
      if (!isUsableKey) return err({ kind: 'not-sent', operation: name, reason: unusableKey });
      let request: ReturnType<typeof lookupRequest>;
      try {
        request = lookupRequest(lookups, question, page, { user, baseUrl });
      } catch (error) {
        if (error instanceof NoSuchLookupError || error instanceof ForeignPageError)
          return err({ kind: 'not-sent', operation: name, reason: error.message });
        throw error;
      }
      await takeTurn();
      const result = await send({ name, ...request, repeatable: true }, (text, link) => {
        const answeredAt = new Date(ports.clock()).toISOString();
        const url = baseUrl.replace(/\/$/, '') + request.path;
        const answer = read({ operation: question.operation, text, link, page, url, answeredAt });
        return answer.kind === 'page' ? ok(answer) : err({ path: '$', expected: answer.expected });
      });
      if (result.kind === 'error' && result.error.kind === 'not-found' && question.operation !== 'list')
        return ok(unknown);
      return result;
    },
  };
}

/** The page of an id that the service does not know. */
const unknown: LookupPage = { kind: 'page', reports: [], sendIds: [], unreadable: [], next: undefined };

function idOf(question: LookupQuestion): string {
  if (question.operation === 'message') return question.messageId;
  return question.operation === 'send' ? question.sendId : '';
}

type Send = (operation: Operation, decode: Decode<LookupPage>) => Promise<Result<LookupPage>>;

function createSender(
  { service }: BundledContract,
  authentication: LookupsContract['authentication'],
  options: CallerOptions,
): Send {
  const { apiKey } = options;
  if (authentication.kind === 'token') {
    const session = createSession({ ...options, token: service.token });
    return (operation, decode) => session.call(operation, decode);
  }
  const { perform, hide } = createCaller(options);
  if (authentication.kind === 'query')
    return (operation, decode) =>
      perform({ ...operation, path: withQuery(operation.path, { [authentication.name]: apiKey }) }, decode);
  if (authentication.kind === 'header')
    return (operation, decode) =>
      perform(operation, decode, { [authentication.name.toLowerCase()]: authentication.prefix + apiKey });
  const credentials = Buffer.from(apiKey).toString('base64');
  hide(credentials);
  hide(apiKey.slice(apiKey.indexOf(':') + 1));
  return (operation, decode) => perform(operation, decode, { authorization: `Basic ${credentials}` });
}

/** Returns a function that waits until the next request may be sent. @param intervalMs between two requests */
function createPacer(
  intervalMs: number,
  { clock, sleep }: Pick<CallerOptions['ports'], 'clock' | 'sleep'>,
): () => Promise<void> {
  let next = 0;
  return async () => {
    const now = clock();
    const at = Math.max(next, now);
    next = at + intervalMs;
    if (at > now) await sleep(at - now);
  };
}
