import { parseBody } from '../../events/body.ts';
import type { Contract } from '../../schema/contract-schema.ts';

/** One request of the SMS service as it came, from a file or out of quarantine. */
export interface Capture {
  /** For people: the file and its place there, or the id of the quarantine entry. */
  readonly name: string;
  readonly method: string;
  /** In full, as it was posted to; from a request line alone it is put together with the header Host. */
  readonly url: string;
  /** By name in any case; a header that was given several times is joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** The raw bytes, never re-serialised. */
  readonly body: Uint8Array;
  /** When it was received; ISO 8601 in UTC. Undefined where nobody kept that. */
  readonly receivedAt?: string;
  /** Whether headers that carry credentials were replaced by maskCredential. */
  readonly masked?: boolean;
  /** Of its quarantine entry. */
  readonly id?: string;
}

/** Headers by name; of one that is given several times, in whatever case, the values with commas between, as gateways do. */
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
 * The URL a request was posted to. A path is completed by the header Host, as HTTPS unless X-Forwarded-Proto says
 * otherwise: what stands behind a proxy is given the path alone.
 *
 * @returns undefined where the target is no URL and there is no host for a path
 */
export function urlOf(target: string, headers: Readonly<Record<string, string>>): string | undefined {
  if (!target.startsWith('/'))
    return /^https?:\/\//.test(target) && URL.canParse(target) ? target : undefined;
  const host = headerNamed(headers, 'host');
  const scheme = headerNamed(headers, 'x-forwarded-proto') === 'http' ? 'http' : 'https';
  // As it was written: signatures may cover the very text, which the class URL would tidy.
  const url = `${scheme}://${host}${target}`;
  return host !== undefined && URL.canParse(url) ? url : undefined;
}

/** ISO 8601 with a zone. */
export function isCaptureTime(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text) &&
    !Number.isNaN(Date.parse(text))
  );
}

type BodyFormat = Contract['webhook']['bodyFormat'];

/** A captured request as the mapping is to read it. */
export interface CapturedBody {
  readonly bytes: Uint8Array;
  /** The id that its signature covers, where the scheme has one. */
  readonly signedId?: string;
  /** ISO 8601 in UTC. */
  readonly receivedAt: string;
}

export interface ParsedBodies {
  readonly format: BodyFormat;
  readonly isCertain: boolean;
  /** Those that could be read, and what they say. */
  readonly bodies: readonly { readonly captured: CapturedBody; readonly value: unknown }[];
}

/** Finds whether bodies are JSON or forms, by what they hold and by what their header says, and reads them. */
export function parseBodies(captures: readonly (readonly [Capture, CapturedBody])[]): ParsedBodies {
  const isJson = captures.filter(([, { bytes }]) => isStructured(bytes)).length;
  const saysForm = captures.filter(([{ headers }]) =>
    /form-urlencoded/i.test(headerNamed(headers, 'content-type') ?? ''),
  ).length;
  const format = isJson * 2 >= captures.length ? 'json' : 'form';
  return {
    format,
    isCertain: format === 'json' ? isJson === captures.length : saysForm === captures.length,
    bodies: captures.flatMap(([, captured]) => {
      const parsed = parseBody(format, captured.bytes);
      return parsed.kind === 'parsed' ? [{ captured, value: parsed.value }] : [];
    }),
  };
}

function isStructured(bytes: Uint8Array): boolean {
  const parsed = parseBody('json', bytes);
  return parsed.kind === 'parsed' && typeof parsed.value === 'object' && parsed.value !== null;
}

/** The secrets that a request may be signed with which was received at a time (milliseconds since the epoch); none where none was given. */
export type Secrets = (receivedAt: number) => readonly string[];
