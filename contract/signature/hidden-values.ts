import { isDeeperThan, maxBodyDepth, parseExactly, parseJson } from '../text/json.ts';
import type { WebhookRequest } from './webhook-request.ts';

/** Reads the token that a request carries in its query or its body. */
export type TokenReader = (request: Pick<WebhookRequest, 'url' | 'body' | 'method'>) => string | undefined;

/** Returns what a request has in place of a value, or undefined if the value stays as it is. */
type Replacement = (value: string) => string | undefined;

/**
 * Removes the token of a request once it has done its work, so that events do not depend on it. Some services repeat the URL of the webhook in
 * the body.
 *
 * @param tokenIn undefined if no token is in the URL or the body
 */
export function hideToken<R extends Pick<WebhookRequest, 'url' | 'body' | 'method'>>(
  request: R,
  tokenIn: TokenReader | undefined,
): R {
  const token = tokenIn?.(request);
  if (token === undefined) return request;
  return hideValues(request, (value) => (value === token ? '' : undefined));
}

/**
 * How deep URLs are read that are values of each other. A proxy repeats a URL in its own. A person can write a text of thousands, and each level
 * with a "#" is read twice.
 */
const maxNestedUrls = 3;

/** Replaces a value, or the values in the query of the URL that it is. @param depth how many levels of URLs are read */
function replacedWithin(depth: number, replacementOf: Replacement): Replacement {
  return (value) =>
    replacementOf(value) ??
    (depth === 0 ? undefined : hideInUrl(value, replacedWithin(depth - 1, replacementOf)));
}

/**
 * Replaces values in the query and in the body of a request, a form or JSON, and in the query of each URL among these values. All other bytes
 * stay as received.
 *
 * @param replacementOf is given a value decoded
 */
export function hideValues<R extends Pick<WebhookRequest, 'url' | 'body'>>(
  request: R,
  replacementOf: Replacement,
): R {
  const replaced = replacedWithin(maxNestedUrls, replacementOf);
  // Each byte is one character, so that bytes which are no text survive. A token is ASCII.
  const text = Buffer.from(request.body).toString('latin1');
  const json = jsonOf(text);
  const hiddenJson = json === undefined ? text : hideInJson(text, replaced);
  // The readers of a request read JSON that is too deep as a form.
  const isForm = json === undefined || isDeeperThan(maxBodyDepth, json);
  const hiddenBody = isForm ? hideInForm(hiddenJson, replaced) : hiddenJson;
  return {
    ...request,
    url: hideInQuery(request.url, replaced),
    body: hiddenBody === text ? request.body : Buffer.from(hiddenBody, 'latin1'),
  };
}

/** Replaces values in the query of a URL. @returns undefined for a text that is no URL */
export function hideInUrl(text: string, replaced: Replacement): string | undefined {
  return /^\s*https?:/i.test(text) ? hideInQuery(text, replaced) : undefined;
}

/** A "#" ends the query of a URL, but the readers of a request read what follows. So values end at it, and do not. */
function hideInQuery(url: string, replaced: Replacement): string {
  return url.replace(/^([^?]*\?)(.*)$/s, (_, before: string, query: string) => {
    const hidden = hideInForm(query, replaced);
    if (!query.includes('#')) return before + hidden;
    const parts = hidden.split('#');
    return before + parts.map((part) => hideInForm(part, replaced)).join('#');
  });
}

function hideInForm(text: string, replaced: Replacement): string {
  return text
    .split('&')
    .map((raw) => {
      const [[, value] = []] = new URLSearchParams(raw);
      const written = value === undefined ? undefined : replaced(value);
      return written === undefined || written === value
        ? raw
        : `${raw.split('=', 1)[0]}=${encodeURIComponent(written)}`;
    })
    .join('&');
}

/** The mark of UTF-8 before a text, one character for each byte. */
const byteOrderMark = '\xef\xbb\xbf';

/** Returns the object or list that a text is. */
function jsonOf(text: string): unknown {
  const json = text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text;
  return /^\s*[[{]/.test(json) ? parseJson(json) : undefined;
}

/** Matches the strings and numbers of a valid JSON text; the group is the colon after the name of a field. */
const jsonValue = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*/g;

/** Replaces values in place: numbers that JavaScript cannot hold would change if the text was written again. */
function hideInJson(text: string, replaced: Replacement): string {
  return text.replace(jsonValue, (found: string, colon: string | undefined) => {
    if (colon !== undefined) return found;
    const value = String(parseExactly(found));
    const written = replaced(value);
    return written === undefined || written === value ? found : JSON.stringify(written);
  });
}
