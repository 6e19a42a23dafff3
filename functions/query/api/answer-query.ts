import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { ContractFacts } from '../../../contract/events/contract-facts.ts';
import { csvRow } from '../../../contract/text/csv.ts';
import { isObject, parseJson } from '../../../contract/text/json.ts';
import { errorName } from '../../base/basics.ts';
import type { Log } from '../../base/log-catalogue.ts';
import type { Count } from '../../base/metrics.ts';
import { CursorError } from '../../history/index.ts';
import { EmptyRangeError } from '../../history/shapes.ts';
import { type Answered, createAnswers, InsightsOffError, type Stores } from './answers.ts';
import { type Caller, callerOf, hasRight, rightFor } from './caller.ts';
import { AmbiguousIdError } from './find-by-id.ts';
import { entriesShown, isMaskable, masked } from './mask.ts';
import type { IdMask } from './masked-ids.ts';
import {
  authorizationOf,
  bodyOf,
  type Content,
  compressed,
  failure,
  found,
  jsonContent,
  noGroup,
  notPermitted,
  success,
  withoutBody,
} from './respond.ts';
import { ParametersError, type Problem, problem } from './routes/problem.ts';
import {
  matchRoute,
  methodsOf,
  PathEncodingError,
  type RouteMatch,
  type RouteName,
} from './routes/routes.ts';
import { sessionOf } from './session.ts';
import { type MessageRow, messageColumns, type PageView } from './views/views.ts';

/** Writes a page as CSV. The page after it is in the header Link (RFC 8288), relative to the URL of the request. */
function csvContent({ entries, next }: PageView<MessageRow>, rawQueryString: string): Content {
  const rows = entries.map((row) => csvRow(messageColumns.map((column) => row[column])));
  const query = new URLSearchParams(rawQueryString);
  if (next !== null) query.set('cursor', next);
  return {
    body: [csvRow(messageColumns), ...rows].join(''),
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment',
      ...(next !== null && { link: `<?${query}>; rel="next"` }),
    },
  };
}

/** Names of the temporary errors of DynamoDB and its client. */
const temporaryErrors = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'LimitExceededException',
  'TimeoutError',
  'InternalServerError',
  'ServiceUnavailable',
  'ServiceUnavailableException',
]);

/** Codes of the temporary errors of the network. */
const temporaryCodes = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN']);

/** Returns the problem of a failed query. It contains nothing about internal errors. */
function problemOf(error: unknown): Problem {
  if (error instanceof ParametersError) return wrongParameters(error.problems);
  if (error instanceof AmbiguousIdError) return problem('ambiguous-id', error.message);
  if (error instanceof CursorError) return wrongParameters([{ parameter: 'cursor', detail: error.message }]);
  if (error instanceof EmptyRangeError)
    return wrongParameters([{ parameter: 'since', detail: error.message }]);
  if (error instanceof PathEncodingError) return problem('invalid-path', error.message);
  if (error instanceof InsightsOffError)
    return problem('insights-off', 'Set sms:insights to on, or leave the prop `insights` out, and deploy.');
  if (isTemporary(error)) return problem('unavailable', 'Try again in a moment.');
  return problem('internal', 'The cause is in the log of the function.');
}

function wrongParameters(problems: ParametersError['problems']): Problem {
  const count = problems.length === 1 ? 'One parameter is' : `${problems.length} parameters are`;
  return problem('invalid-parameters', `${count} wrong: see errors.`, problems);
}

function isTemporary(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return temporaryErrors.has(error.name) || temporaryCodes.has(code);
}

export interface QueryDependencies extends Stores {
  readonly log: Log;
  readonly count: Count;
  /** The claim of a user's token that holds the groups. */
  readonly groupsClaim: string;
  /** Reads the mask of ids, which only users of the console need. */
  readonly idMask: () => Promise<IdMask>;
  /** What users of the console know this pipeline by. */
  readonly pipeline: string;
  /** By which the reports of each source are read. */
  readonly contracts: readonly ContractFacts[];
}

/** Answers one request of the query API. Never throws. */
export type AnswerQuery = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

/**
 * Requires that a viewer sends positions as this API masked them. With one of its own making, a viewer would see whether an id is before or behind it.
 *
 * @throws CursorError
 */
function requireMaskedCursor(rawQueryString: string, idMask: IdMask | undefined): void {
  const cursors = new URLSearchParams(rawQueryString).getAll('cursor');
  if (cursors.some((cursor) => cursor !== '' && idMask?.unmaskPosition(cursor) === cursor))
    throw new CursorError();
}

/** A user of the console sends it with `yes` to get whole numbers. Links and forms of other pages cannot send it. */
const revealHeader = 'x-reveal';

/** Where the console's page asks who uses it. */
const sessionPath = '/session';

/** The `Retry-After` of answers if the database does not respond in time, in seconds. */
const retryAfterSeconds = 2;

export function createAnswerQuery({
  log,
  count,
  groupsClaim,
  idMask: readIdMask,
  pipeline,
  contracts,
  ...stores
}: QueryDependencies): AnswerQuery {
  const answers = createAnswers(stores);

  async function answer(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
    const { method } = event.requestContext.http;
    try {
      const caller = callerOf(authorizationOf(event), groupsClaim);
      if (caller === undefined) return failure(noGroup);
      if (caller.kind === 'user' && event.rawPath === sessionPath)
        return respond({ kind: 'json', view: sessionOf(caller, pipeline, stores.sources, contracts) }, event);
      const match = matchRoute(event.rawPath);
      if (match === undefined)
        return failure(problem('no-such-path', 'docs/reference/http-api.md lists the paths.'));
      const allow = methodsOf(match.name).join(', ');
      if (!methodsOf(match.name).includes(method))
        return failure(problem('method-not-allowed', `Use ${allow}.`), { allow });
      return await answerMatch(match, caller, event);
    } catch (error) {
      const cause = problemOf(error);
      if (cause.status < 500) return failure(cause);
      count('queryFailed');
      log('QUERY_FAILED', { error: errorName(error) });
      return failure(cause, cause.status === 503 ? { 'retry-after': String(retryAfterSeconds) } : {});
    }
  }

  async function answerMatch(match: RouteMatch, caller: Caller, event: APIGatewayProxyEventV2) {
    const { name } = match;
    const isRevealed = event.headers[revealHeader] === 'yes';
    const right = rightFor(name, isRevealed);
    if (!hasRight(caller, right)) return failure(notPermitted);
    const idMask = caller.kind === 'user' ? await readIdMask() : undefined;
    const asked = new Set<string>();
    const request = requestOf(match, event, idMask, asked);
    if (!hasRight(caller, 'reveal')) requireMaskedCursor(event.rawQueryString, idMask);
    const { parameters } = request;
    const answered = await answers[name](request);
    if (answered === undefined) return failure(unknown(name));
    if (caller.kind === 'user' && right === 'read') return respond(masked(answered, idMask, asked), event);
    if (rightFor(name, false) === 'reveal' || isMaskable(answered))
      log('NUMBERS_REVEALED', {
        person: caller.person,
        ...(caller.kind === 'user' && { user: caller.id, role: caller.role }),
        query: name,
        entries: entriesShown(answered, parameters, idMask),
      });
    if (caller.kind === 'iam') return respond(answered, event);
    // What was received cannot be masked; the console's page says so.
    const isWhole = isRevealed || name === 'getQuarantineEntry';
    // For a user, whole numbers have no ETag: a guessed one would be confirmed by 304. So each answer is sent.
    return found(contentOf(isWhole ? answered : masked(answered, idMask, asked), event));
  }

  /**
   * Returns a request with the ids that stand behind masked ones. Only values have them: an error names a parameter that does not exist.
   *
   * @param asked gets these ids
   */
  function requestOf(
    { parameters }: RouteMatch,
    event: APIGatewayProxyEventV2,
    idMask: IdMask | undefined,
    asked: Set<string>,
  ) {
    const unmask = (value: string) => idMask?.unmask(value, (id) => asked.add(id)) ?? value;
    const query = new URLSearchParams();
    for (const [name, value] of new URLSearchParams(event.rawQueryString))
      query.append(name, name === 'cursor' ? (idMask?.unmaskPosition(value) ?? value) : unmask(value));
    const body = parseJson(bodyOf(event) ?? '');
    return {
      parameters: mapValues(parameters, unmask),
      rawQueryString: query.toString(),
      body: isObject(body)
        ? mapValues(body, (value) => (typeof value === 'string' ? unmask(value) : value))
        : body,
    };
  }

  function contentOf(answered: Answered, event: APIGatewayProxyEventV2): Content {
    return answered.kind === 'csv'
      ? csvContent(answered.page, event.rawQueryString)
      : jsonContent(answered.view);
  }

  function respond(answered: Answered, event: APIGatewayProxyEventV2): APIGatewayProxyStructuredResultV2 {
    const content = contentOf(answered, event);
    return event.requestContext.http.method === 'POST'
      ? found(content)
      : success(content, event.headers['if-none-match']);
  }

  return async (event) => {
    const response = await answer(event);
    return event.requestContext.http.method === 'HEAD'
      ? withoutBody(response)
      : compressed(response, event.headers['accept-encoding']);
  };
}

function mapValues<T>(given: Readonly<Record<string, T>>, map: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, map(value)]));
}

function unknown(name: RouteName): Problem {
  if (name === 'getQuarantineEntry')
    return problem('unknown-quarantine-entry', 'It was never in quarantine, or its retention has ended.');
  if (name === 'getSend')
    return problem('unknown-send', 'No report of it has been counted, or its retention has ended.');
  return name === 'getConversation'
    ? problem('unknown-conversation', 'This message or reply is not stored, or no report names its number.')
    : problem('unknown-message', 'No report about it has been stored, or its retention has ended.');
}
