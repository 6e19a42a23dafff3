/** One request of the SMS service as received, from a file or from quarantine. */
export interface Capture {
  /** The name for people: the file and the position there, or the id of the quarantine entry. */
  readonly name: string;
  readonly method: string;
  /** The full URL that the request was posted to. A request line alone is completed by the header Host. */
  readonly url: string;
  /** The headers by name, in any letter case. The values of a repeated header are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The raw bytes, never re-serialised. */
  readonly body: Uint8Array;
  /** When it was received; ISO 8601 in UTC. Undefined if unknown. */
  readonly receivedAt?: string;
  /** Whether maskCredential replaced credentials in the headers. */
  readonly masked?: boolean;
  /** The id of its quarantine entry. */
  readonly id?: string;
}

/** Returns headers by name. The values of a repeated header, in any letter case, are joined by commas, as gateways do. */
export function headerMap(headers: Iterable<readonly [string, string]>): Readonly<Record<string, string>> {
  const byName = new Map<string, readonly [string, string]>();
  for (const [name, value] of headers) {
    const [firstName, before] = byName.get(name.toLowerCase()) ?? [name];
    byName.set(name.toLowerCase(), [firstName, before === undefined ? value : `${before},${value}`]);
  }
  return Object.fromEntries(byName.values());
}

/** @param name in lower case */
export function headerNamed(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(headers).find(([header]) => header.toLowerCase() === name)?.[1];
}

/**
 * Returns the URL that a request was posted to. A path is completed by the header Host, with HTTPS unless X-Forwarded-Proto is "http":
 * a server behind a proxy sees only the path.
 *
 * @returns undefined if the target is not a URL, or is a path and there is no host
 */
export function urlOf(target: string, headers: Readonly<Record<string, string>>): string | undefined {
  if (!target.startsWith('/'))
    return /^https?:\/\//.test(target) && URL.canParse(target) ? target : undefined;
  const host = headerNamed(headers, 'host');
  const scheme = headerNamed(headers, 'x-forwarded-proto') === 'http' ? 'http' : 'https';
  // Keep the text as written: signatures may cover it, and the class URL would normalise it.
  const url = `${scheme}://${host}${target}`;
  return host !== undefined && URL.canParse(url) ? url : undefined;
}

/** Returns the part of a request that holds the events: the body, or the query of a GET request, which is a form. */
export function requestBody({ method, url, body }: Pick<Capture, 'method' | 'url' | 'body'>): Uint8Array {
  return method === 'GET' && body.length === 0 ? Buffer.from(/\?([^#]*)/.exec(url)?.[1] ?? '') : body;
}

/** Recognises ISO 8601 with a time zone. */
export function isCaptureTime(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text) &&
    !Number.isNaN(Date.parse(text))
  );
}

/** Returns the secrets that may sign a request received at a time (milliseconds since the epoch). */
export type Secrets = (receivedAt: number) => readonly string[];
