import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

/** How long a sender is asked to wait, in seconds, when the fault is ours. */
const retryAfterSeconds = 5;

const json = (
  statusCode: number,
  body: object,
  headers: Record<string, string> = {},
): APIGatewayProxyStructuredResultV2 => ({
  statusCode,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

export const acknowledged = (status: number, id: string) => json(status, { id });

/** Never says what was wrong: that would help only somebody who guesses. Metrics and logs do. */
export const unauthorized = () => json(401, { message: 'The signature could not be verified' });

export const forbidden = () => json(403, { message: 'Not from this address' });

export const methodNotAllowed = () => json(405, { message: 'Only POST is answered here' }, { allow: 'POST' });

export const tooLarge = (limitBytes: number) =>
  json(413, { message: `The body is larger than ${limitBytes} bytes` });

export const unavailable = () =>
  json(
    503,
    { message: 'The request could not be kept; please send it again' },
    { 'retry-after': String(retryAfterSeconds) },
  );
