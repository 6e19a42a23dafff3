/** Gives the token of the user who signed in. Tokens are in memory only: a reload asks the provider again. */
type BearerSource = () => Promise<string>;

/** How a session ended. */
export type SessionEnd =
  /** `isElsewhereIn`: the provider has no address that ends its session. */
  | { readonly kind: 'signed-out'; readonly isElsewhereIn: boolean }
  /** The browser is leaving for a new sign-in. */
  | { readonly kind: 'expired' };

let source: BearerSource | undefined;
let end: SessionEnd | undefined;
const listeners = new Set<() => void>();

/** Sends a token with every request from now on. */
export function keepBearer(tokens: BearerSource): void {
  source = tokens;
}

/** Returns whether a user signed in since the page was loaded. */
export function isSignedIn(): boolean {
  return source !== undefined;
}

/** Returns how the session ended; undefined while it has not. */
export const sessionEnd = () => end;

/** Calls the listener at the end of the session. Returns how to remove it. */
export function onSessionEnd(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Has the page forget what it shows. The browser may keep the page as it is when it leaves, and Back brings that back. */
export function endSession(how: SessionEnd): void {
  end = how;
  for (const listener of listeners) listener();
}

/** Returns the header with the token; nothing where a cookie is the session. */
export async function bearerHeaders(): Promise<Readonly<Record<string, string>>> {
  return source === undefined ? {} : { authorization: `Bearer ${await source()}` };
}
