import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { matchRoute, type RouteMatch } from '../core/query/path.ts';
import { type Problem, problem } from '../core/query/problem.ts';
import type { RouteName } from '../core/query/routes.ts';
import type { Log } from '../runtime/log-catalogue.ts';
import type { Count } from '../runtime/metric-catalogue.ts';
import { createAnswers, type Sources } from './answers.ts';
import { problemOf } from './failure.ts';
import { found, refused, withoutBody } from './responses.ts';

export interface QueryDependencies extends Sources {
  readonly log: Log;
  readonly count: Count;
}

/** Answers one question of the query API. Never throws. */
export type AnswerQuery = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

/** How long an asker is asked to wait, in seconds, where the database does not answer in time. */
const retryAfterSeconds = 2;

const methods = ['GET', 'HEAD'];

export function createAnswerQuery({ log, count, ...sources }: QueryDependencies): AnswerQuery {
  const answers = createAnswers(sources);

  async function answer(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
    const { method } = event.requestContext.http;
    try {
      const match = matchRoute(event.rawPath);
      if (match === undefined)
        return refused(problem('no-such-path', 'The paths there are, are listed in docs/query.md.'));
      if (!methods.includes(method))
        return refused(problem('method-not-allowed', 'History is read here, never changed.'), {
          allow: methods.join(', '),
        });
      return await answerMatch(match, event);
    } catch (error) {
      const failure = problemOf(error);
      if (failure.status < 500) return refused(failure);
      count('queryFailed');
      log('QUERY_FAILED', { error: error instanceof Error ? error.name : 'unknown' });
      return refused(failure, failure.status === 503 ? { 'retry-after': String(retryAfterSeconds) } : {});
    }
  }

  async function answerMatch({ name, parameters }: RouteMatch, event: APIGatewayProxyEventV2) {
    const view = await answers[name]({ parameters, rawQueryString: event.rawQueryString });
    return view === undefined ? refused(unknown(name)) : found(view, event.headers['if-none-match']);
  }

  return async (event) => {
    const response = await answer(event);
    return event.requestContext.http.method === 'HEAD' ? withoutBody(response) : response;
  };
}

function unknown(name: RouteName): Problem {
  return name === 'getQuarantineEntry'
    ? problem('unknown-quarantine-entry', 'It was never in quarantine, or its retention has ended.')
    : problem('unknown-message', 'No report about it has been stored, or its retention has ended.');
}
