import type { ZodError } from 'zod';

/** What a route answers; a body is sent as JSON. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What was wrong with an input: where, and what was expected there. Never what stood there. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

export const ok = (body: unknown): Answer => ({ status: 200, body });

/** The shape of an error's body is the sandbox's own: the service's document does not show it. */
export function errorAnswer(
  status: number,
  name: string,
  message: string,
  problems: readonly Problem[] = [],
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, body: { error: { name, message, ...(problems.length > 0 && { problems }) } }, headers };
}

export const unauthorized = (message: string): Answer => errorAnswer(401, 'Unauthorized', message);

export const notFound = (): Answer => errorAnswer(404, 'NotFound', 'The sandbox has no such operation');

/** What a schema found, with the path of each problem; `$` is the whole body. */
export function problemsOf(error: ZodError): Problem[] {
  return error.issues.flatMap(({ path, message, ...issue }) => {
    const at = (...more: readonly PropertyKey[]) => [...path, ...more].map(String).join('.') || '$';
    if (issue.code !== 'unrecognized_keys') return [{ path: at(), message }];
    return issue.keys.map((key) => ({ path: at(key), message: 'not a known field' }));
  });
}

/** The text of a body as JSON; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
