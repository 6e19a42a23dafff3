import type { WebhookRequest } from './webhook-request.ts';

/** Reads the token that a request carries in its query or its body. */
export type TokenReader = (request: Pick<WebhookRequest, 'url' | 'body' | 'method'>) => string | undefined;

/**
 * Removes the token of a request once it has done its work, so that events do not depend on it.
 *
 * @param tokenIn undefined if no token is in the URL or the body
 */
export function hideToken<R extends Pick<WebhookRequest, 'url' | 'body' | 'method'>>(
  request: R,
  tokenIn: TokenReader | undefined,
): R {
  const token = tokenIn?.(request);
  return token === undefined
    ? request
    : hideValues(
        request,
        (value) => value === token,
        () => '',
      );
}

/**
 * Replaces values in the query and in the body of a request, a form or JSON. All other bytes stay as received.
 *
 * @param isHidden decides by the value, decoded
 * @param written returns the text that replaces a value
 */
export function hideValues<R extends Pick<WebhookRequest, 'url' | 'body'>>(
  request: R,
  isHidden: (value: string) => boolean,
  written: (value: string) => string,
): R {
  const url = request.url.replace(
    /^([^?#]*\?)([^#]*)/,
    (_, before: string, query: string) => before + hideInForm(query, isHidden, written),
  );
  // Each byte is one character, so that bytes which are no text survive. A token is ASCII.
  const text = Buffer.from(request.body).toString('latin1');
  const hiddenBody = isJson(text) ? hideInJson(text, isHidden, written) : hideInForm(text, isHidden, written);
  return {
    ...request,
    url,
    body: hiddenBody === text ? request.body : Buffer.from(hiddenBody, 'latin1'),
  };
}

function hideInForm(
  text: string,
  isHidden: (value: string) => boolean,
  written: (value: string) => string,
): string {
  return text
    .split('&')
    .map((raw) => {
      const [[, value] = []] = new URLSearchParams(raw);
      return value === undefined || !isHidden(value)
        ? raw
        : `${raw.split('=', 1)[0]}=${encodeURIComponent(written(value))}`;
    })
    .join('&');
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Matches the strings and numbers of a valid JSON text; the group is the colon after the name of a field. */
const jsonValue = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*/g;

/** Replaces values in place: numbers that JavaScript cannot hold would change if the text was written again. */
function hideInJson(
  text: string,
  isHidden: (value: string) => boolean,
  written: (value: string) => string,
): string {
  return text.replace(jsonValue, (found: string, colon: string | undefined) => {
    if (colon !== undefined) return found;
    const value = String(JSON.parse(found));
    return isHidden(value) ? JSON.stringify(written(value)) : found;
  });
}
