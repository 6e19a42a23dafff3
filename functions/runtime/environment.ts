/** What a variable must hold: any text, any text or none, a whole number, an http(s) URL, texts with commas between them (or none), or one of these words. */
type Kind = 'text' | 'optional' | 'integer' | 'url' | 'list' | readonly string[];

type Value<K extends Kind> = K extends readonly (infer Word)[]
  ? Word
  : K extends 'integer'
    ? number
    : K extends 'list'
      ? readonly string[]
      : string;

/** The environment of a function, by variable name. */
export type Environment<S extends Record<string, Kind>> = { readonly [N in keyof S]: Value<S[N]> };

/** Thrown at cold start; the message names every variable that is missing or bad, never a value. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';

  constructor(problems: readonly string[]) {
    super(`Environment: ${problems.join('; ')}`);
  }
}

/**
 * Reads the variables a function needs, all of them at once.
 *
 * @example
 * const environment = readEnvironment({
 *   EVENTS_QUEUE_URL: 'url',
 *   RETENTION_DAYS: 'integer',
 *   PARK_UNVERIFIED: ['rotating', 'always'],
 * });
 * @throws EnvironmentError naming each variable that is missing or not of its kind
 */
export function readEnvironment<const S extends Record<string, Kind>>(
  shape: S,
  source: Readonly<Record<string, string | undefined>> = process.env,
): Environment<S> {
  const problems: string[] = [];
  const values: Record<string, string | number | readonly string[]> = {};
  for (const [name, kind] of Object.entries(shape)) {
    const text = source[name];
    if (kind === 'list' && text !== undefined) values[name] = text.split(',').filter((word) => word !== '');
    else if (kind === 'optional' && text !== undefined) values[name] = text;
    else if (text === undefined || text === '') problems.push(`${name} is missing`);
    else if (kind === 'integer' && !/^\d{1,15}$/.test(text)) problems.push(`${name} is not a whole number`);
    else if (kind === 'url' && !/^https?:\/\/[^\s]+$/.test(text)) problems.push(`${name} is not a URL`);
    else if (typeof kind !== 'string' && !kind.includes(text))
      problems.push(`${name} is none of ${kind.join(', ')}`);
    else values[name] = kind === 'integer' ? Number(text) : text;
  }
  if (problems.length > 0) throw new EnvironmentError(problems);
  return values as Environment<S>;
}
