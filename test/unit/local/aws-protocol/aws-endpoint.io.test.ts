import { expect, it, onTestFinished } from 'vitest';
import { type AwsAnswers, startAwsEndpoint } from '../../../../local/aws-protocol/aws-endpoint.ts';
import { AwsError } from '../../../../local/aws-protocol/aws-json.ts';
import { closeServer, sendJson } from '../../../../local/aws-protocol/http.ts';
import { freePorts } from '../../../../tools/support/free-port.ts';

const answers: AwsAnswers = {
  operations: new Map<string, (input: unknown) => object>([
    ['Echo.Say', (input) => ({ input })],
    [
      'Echo.Refuse',
      () => {
        throw new AwsError('LimitExceededException', 'too much');
      },
    ],
    [
      'Echo.Break',
      () => {
        throw new TypeError('a defect');
      },
    ],
  ]),
  routes: [
    {
      method: 'POST',
      path: /^\/functions\/([^/]+)$/,
      answer: (name, _, response) => sendJson(response, 200, { name }),
    },
    {
      path: /^\/broken$/,
      answer: () => {
        throw new TypeError('a defect');
      },
    },
  ],
};

it.each([
  ['an operation by its target', 'POST', '/', 'Echo.Say', '{"a":"ü"}', 200, { input: { a: 'ü' } }],
  ['an operation without input', 'POST', '/', 'Echo.Say', '', 200, { input: {} }],
  ['input that is no JSON', 'POST', '/', 'Echo.Say', '{', 400, { __type: 'SerializationException' }],
  ['the error of an operation', 'POST', '/', 'Echo.Refuse', '', 400, { __type: 'LimitExceededException' }],
  ['a bug of an operation', 'POST', '/', 'Echo.Break', '', 500, { __type: 'InternalServiceError' }],
  ['another operation', 'POST', '/', 'Echo.Other', '', 400, { __type: 'UnknownOperationException' }],
  ['a route with the decoded part of its path', 'POST', '/functions/a%3Ab?x', '', '', 200, { name: 'a:b' }],
  ['a bug of a route', 'POST', '/broken', '', '', 500, { __type: 'InternalFailure' }],
  ['another method', 'PUT', '/functions/a', '', '', 404, { __type: 'UnknownOperationException' }],
  ['another path', 'POST', '/functions', '', '', 404, { __type: 'UnknownOperationException' }],
])('the endpoint answers %s', async (_, method, path, target, body, status, expected) => {
  const port = await freePorts();
  const server = await startAwsEndpoint(port, [answers]);
  onTestFinished(() => closeServer(server));
  const headers = { 'x-amz-target': target };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body });
  expect([response.status, await response.json()]).toEqual([status, expect.objectContaining(expected)]);
});
