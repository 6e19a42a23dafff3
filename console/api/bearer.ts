/** Gives the token of the user who signed in. Tokens are in memory only: a reload asks the provider again. */
type BearerSource = () => Promise<string>;

let source: BearerSource | undefined;

/** Sends a token with every request from now on. */
export function keepBearer(tokens: BearerSource): void {
  source = tokens;
}

/** Returns whether a user signed in since the page was loaded. */
export function isSignedIn(): boolean {
  return source !== undefined;
}

/** Returns the header with the token; nothing where a cookie is the session. */
export async function bearerHeaders(): Promise<Readonly<Record<string, string>>> {
  return source === undefined ? {} : { authorization: `Bearer ${await source()}` };
}
