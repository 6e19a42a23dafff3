import assert from 'node:assert/strict';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import fc from 'fast-check';
import { createAnswerQuery } from '../../../functions/query/api/answer-query.ts';
import { createAnswerRequest } from '../../../functions/query/console/answer-request.ts';
import type { QuarantinedEntry } from '../../../functions/receive/quarantine/quarantine.ts';
import { shippedContract } from '../../../tools/support/contracts.ts';
import { httpApiEvent } from '../../../tools/support/lambda-events.ts';
import { memoryQuarantine } from '../../support/fakes/quarantine.ts';
import { sampleDependencies } from '../cli/commands/mcp/sample-pipeline.ts';
import { fuzz } from './fuzz.ts';
import { privateText } from './hostile-values.ts';
import { callerOfAttempt, type QueryAttempt, queryAttempts } from './query-requests.ts';
import { assertShowsNoInsides, createWatch } from './watch.ts';

/** The largest answer that a Lambda function may give, in bytes (Lambda quotas, "Invocation payload"). */
const largestAnswer = 6 * 1024 * 1024;

const receivedAt = '2026-01-15T11:00:00.000Z';
const entry: QuarantinedEntry = {
  id: `${receivedAt}#req-1#0`,
  reason: 'bad-time',
  receivedAt,
  requestId: 'req-1',
  index: 0,
  raw: Buffer.from(JSON.stringify(shippedContract.samples[0]?.body)),
};

function eventOf(attempt: QueryAttempt): APIGatewayProxyEventV2 {
  const { method, path, query, headers, body, isBase64 } = attempt;
  const { authorizer, headers: own } = callerOfAttempt(attempt);
  const text = body === null || isBase64 ? body : Buffer.from(body, 'base64').toString();
  const event = httpApiEvent({
    method,
    headers: { ...headers, ...own },
    rawQueryString: query,
    isBase64Encoded: isBase64,
    ...(text !== null && { body: text }),
  });
  return { ...event, rawPath: path, requestContext: { ...event.requestContext, ...{ authorizer } } };
}

/** Answers that a caller may get, a failed store left out: the stores of the attack do not fail. */
const statuses = [200, 304, 400, 403, 404, 405, 409];

function assertAnswer(attempt: QueryAttempt, answer: APIGatewayProxyStructuredResultV2, log: string): string {
  const { statusCode = 0, headers = {}, body = '' } = answer;
  assert(statuses.includes(statusCode), `answered ${statusCode} ${body}; ${log}`);
  assert(Buffer.byteLength(body) < largestAnswer, `an answer of ${body.length} characters`);
  for (const [name, value] of Object.entries(headers))
    assert(/^[\x20-\x7e]*$/.test(String(value)), `the header ${name} has other characters than ASCII`);
  assertShowsNoInsides('the answer', statusCode === 200 ? '' : body);
  // The name of a parameter that does not exist is repeated if it has the form of one.
  const withoutNames = body.replaceAll(/"parameter":"[\w-]{1,40}"/g, '');
  if (statusCode >= 400)
    assert(!withoutNames.includes(privateText), 'the answer repeats a text of the request');
  const isRevealing = attempt.caller === 'iam' || attempt.headers['x-reveal'] === 'yes';
  if (attempt.caller === 'viewer')
    assert(!/"(?:phone|from|to|number)":"\+\d/.test(body), 'a viewer sees a whole number');
  if (attempt.caller !== 'iam' && isRevealing && statusCode === 200)
    assert(
      headers.etag === undefined || ['/session', '/v1/health'].includes(attempt.path),
      'whole numbers have an ETag',
    );
  if (attempt.caller === 'none') assert(statusCode === 403, `a stranger is answered ${statusCode}`);
  return String(statusCode);
}

const query = (() => {
  const watch = createWatch();
  const quarantine = memoryQuarantine([entry]);
  const dependencies = { ...sampleDependencies(), quarantine, log: watch.log, count: watch.count };
  return { watch, answer: createAnswerQuery(dependencies) };
})();

fuzz<QueryAttempt>(
  'query-api',
  {
    inputs: queryAttempts,
    async attempt(attempt) {
      query.watch.open();
      const answer = await query.answer(eventOf(attempt));
      query.watch.close();
      return assertAnswer(attempt, answer, query.watch.lines.join());
    },
  },
  ['200', '400', '403', '404', '405'],
);

const health = {
  checkedAt: receivedAt,
  healthy: true,
  checks: [],
  webhook: null,
  queues: null,
  deadLetters: null,
  alarms: null,
  contractDrift: null,
};

fuzz<QueryAttempt>(
  'deployed-console',
  {
    inputs: fc
      .tuple(queryAttempts, fc.constantFrom('', '/v1/health', `/v1/quarantine/${entry.id}/replay`))
      .map(([attempt, path]) => (path === '' ? attempt : { ...attempt, path })),
    async attempt(attempt) {
      const watch = createWatch();
      const quarantine = memoryQuarantine([entry]);
      const answerRequest = createAnswerRequest({
        health: async () => health,
        replay: {
          source: 'main',
          contract: shippedContract,
          quarantine,
          requeue: { send: async () => {}, remove: quarantine.remove },
        },
        groupsClaim: 'groups',
        log: watch.log,
      });
      const { rawPath, ...event } = eventOf(attempt);
      // API Gateway passes on its two routes only.
      const path = attempt.path.startsWith('/v1/quarantine/') ? `${rawPath}/replay` : rawPath;
      const answer = await answerRequest({ ...event, rawPath: path.replace('/replay/replay', '/replay') });
      watch.close();
      if (attempt.caller === 'iam') assert.equal(answer.statusCode, 403);
      return assertAnswer(attempt, answer, watch.lines.join());
    },
  },
  ['200', '403', '404'],
);
