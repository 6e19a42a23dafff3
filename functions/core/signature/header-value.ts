import type { WebhookRequest } from './webhook-request.ts';

/** Where a value is: a header, or the entry of a list in a header that begins with a prefix. */
export interface HeaderPart {
  readonly header: string;
  readonly prefix: string;
  readonly separator: string | null;
}

/** Looks headers up by name whatever the case; an empty header counts as absent. */
export function headerReader(headers: WebhookRequest['headers']): (name: string) => string | undefined {
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => byName.get(name.toLowerCase()) || undefined;
}

/** The value of a part without its prefix; of several entries the first, undefined where there is none. */
export function readPart(
  part: HeaderPart | null,
  header: (name: string) => string | undefined,
): string | undefined {
  if (part === null) return undefined;
  const value = header(part.header);
  const entries = part.separator === null ? [value] : value?.split(part.separator);
  const entry = entries?.find((text) => text?.startsWith(part.prefix));
  return entry?.slice(part.prefix.length) || undefined;
}
