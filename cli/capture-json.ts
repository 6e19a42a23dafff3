import * as z from 'zod';
import type { Capture } from './capture.ts';
import { CaptureError } from './capture-error.ts';
import { headerMap, isCaptureTime, urlOf } from './capture-parts.ts';

const rawBody =
  'expected the body as text, exactly as it came: a signature covers its bytes; "bodyBase64" takes any bytes';

const captureSchema = z
  .strictObject({
    method: z
      .string()
      .regex(/^[A-Z]{1,20}$/, 'expected a method such as "POST"')
      .default('POST'),
    url: z.string(),
    headers: z.record(
      z.string(),
      z.union([z.string(), z.array(z.string())], 'expected a text or a list of texts'),
    ),
    body: z.string(rawBody).optional(),
    bodyBase64: z.base64('expected base64').optional(),
    receivedAt: z.string().refine(isCaptureTime, 'expected a time such as "2026-01-15T12:00:05Z"').optional(),
    masked: z.boolean().optional(),
    id: z.string().optional(),
  })
  .refine(({ body, bodyBase64 }) => (body === undefined) !== (bodyBase64 === undefined), {
    path: ['body'],
    message: 'expected either "body" or "bodyBase64"',
  });

/**
 * Reads requests that were written as JSON: one, or a list of them.
 *
 * @param name of the file, for the names of the requests
 * @throws CaptureError naming the request and the key; never with what the file holds
 */
export function parseJsonCaptures(bytes: Uint8Array, name: string): readonly Capture[] {
  const parsed = [parseJson(Buffer.from(bytes).toString())].flat();
  if (parsed.length === 0) throw new CaptureError('no request found: the list is empty');
  return parsed.map((value, index) => readCapture(value, index + 1, name));
}

function readCapture(value: unknown, number: number, file: string): Capture {
  const read = captureSchema.safeParse(value);
  if (!read.success)
    throw new CaptureError(
      read.error.issues
        .map(
          ({ path, message }) =>
            `request ${number}, ${path.map(String).join('.') || 'as a whole'}: ${message}`,
        )
        .join('\n  '),
    );
  const { method, body, bodyBase64 = '', receivedAt, masked, id } = read.data;
  const headers = headerMap(
    Object.entries(read.data.headers).flatMap(([name, values]) =>
      [values].flat().map((one) => [name, one] as const),
    ),
  );
  const url = urlOf(read.data.url, headers);
  if (url === undefined)
    throw new CaptureError(`request ${number}, url: expected a URL, or a path and a header Host`);
  return {
    name: `${file}, request ${number}`,
    method,
    url,
    headers,
    body: body === undefined ? Buffer.from(bodyBase64, 'base64') : Buffer.from(body),
    ...(receivedAt === undefined ? {} : { receivedAt: new Date(receivedAt).toISOString() }),
    ...(masked === undefined ? {} : { masked }),
    ...(id === undefined ? {} : { id }),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The message of the error quotes the file, which may hold numbers: only the place is told.
    const position = error instanceof SyntaxError ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
    const line = position === undefined ? undefined : text.slice(0, Number(position)).split('\n').length;
    throw new CaptureError(`not JSON${line === undefined ? '' : ` from line ${line} on`}`);
  }
}
