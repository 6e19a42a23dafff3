import { z } from 'zod';

/** An HTTP answer ready to be written. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
}

const structured = z.looseObject({
  statusCode: z.coerce.number().int().min(100).max(599),
  headers: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullish(),
  cookies: z.array(z.string()).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

/**
 * The HTTP answer that API Gateway makes of a function's result, payload format 2.0: a result without a
 * `statusCode` is the body of a 200; one that does not fit is a 500.
 */
export function answerOf(result: unknown): HttpAnswer {
  if (typeof result !== 'object' || result === null || !('statusCode' in result)) {
    const body = typeof result === 'string' ? result : JSON.stringify(result ?? null);
    return answer(200, body, { 'content-type': 'application/json' });
  }
  const parsed = structured.safeParse(result);
  if (!parsed.success) return messageAnswer(500, 'Internal Server Error');
  const { statusCode, headers, cookies, body, isBase64Encoded } = parsed.data;
  const given = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return answer(statusCode, Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'), {
    'content-type': 'text/plain;charset=utf-8',
    ...Object.fromEntries(given),
    ...(cookies && cookies.length > 0 && { 'set-cookie': cookies }),
  });
}

/** An answer that API Gateway gives by itself, for example `{"message":"Not Found"}`. */
export function messageAnswer(status: number, message: string): HttpAnswer {
  return answer(status, JSON.stringify({ message }), { 'content-type': 'application/json' });
}

function answer(
  status: number,
  body: string | Buffer,
  headers: Record<string, string | string[]>,
): HttpAnswer {
  return { status, headers, body: Buffer.from(body) };
}
