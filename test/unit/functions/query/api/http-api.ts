import type { AnswerQuery } from '../../../../../functions/query/api/answer-query.ts';
import { queryEvent } from './fakes.ts';

/**
 * A `fetch` that hands requests to the function as API Gateway's HTTP APIs do: the path decoded once and cut at a "?" that
 * shows up then, the query as it came.
 */
export function throughHttpApi(answer: AnswerQuery): typeof fetch {
  return async (url, { method = 'GET', headers, body } = {}) => {
    const { pathname, search } = new URL(String(url));
    const [rawPath = ''] = decodeURIComponent(pathname).split('?');
    const given = Object.fromEntries(new Headers(headers));
    const result = await answer(
      queryEvent(rawPath + search, { method, headers: given, ...(typeof body === 'string' ? { body } : {}) }),
    );
    const status = result.statusCode ?? 500;
    const named = Object.entries(result.headers ?? {}).map(([name, value]) => [name, String(value)]);
    return new Response(result.body ?? null, { status, headers: Object.fromEntries(named) });
  };
}
