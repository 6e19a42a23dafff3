import * as z from 'zod';

/** Describes {@link isPlainUrl} for messages, after "expected". */
export const plainUrl =
  'an https URL, or http on 127.0.0.1 or localhost, without user name, password, query and fragment: a key in them would be readable in the template';

/** Returns whether a request to a URL is encrypted or stays on the machine, and whether the URL lacks the parts that carry keys. */
export function isPlainUrl(address: string): boolean {
  return isEncryptedOrLocal(address) && !hasUser(address) && !/[?#]/.test(address);
}

/** Returns whether a URL has a user name or a password. */
export function hasUser(address: string): boolean {
  const { username, password } = new URL(address);
  return username !== '' || password !== '';
}

function isEncryptedOrLocal(address: string): boolean {
  if (!URL.canParse(address) || /\s/.test(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(hostname));
}

/** The base URL of an API. It goes into the environment of functions. */
export const baseUrl = z.url({ abort: true }).refine(isPlainUrl, `expected ${plainUrl}`);
