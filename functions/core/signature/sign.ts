import { createHmac } from 'node:crypto';
import type { SignatureContract } from '../contract/contract.ts';
import { compileSignedContent, signingKey } from './signed-content.ts';

/** What is to be signed. */
export interface UnsignedRequest {
  readonly body: Uint8Array;
  /** The event's id, for schemes that sign one. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly url: string;
  /** Headers the template names besides. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The headers a sender adds to a request, by the contract's scheme: what {@link createVerifier} accepts. */
export function signRequest(
  scheme: SignatureContract,
  request: UnsignedRequest,
  secret: string,
): Record<string, string> {
  if (scheme.scheme === 'none') return {};
  if (scheme.scheme === 'token') return { [scheme.header]: scheme.prefix + secret };
  const headers: Record<string, string> = {};
  const timestamp = String(
    Math.floor(scheme.timestamp?.unit === 'seconds' ? request.now / 1000 : request.now),
  );
  if (scheme.timestamp !== null) headers[scheme.timestamp.header] = timestamp;
  if (scheme.id !== null) headers[scheme.id.header] = request.id;
  const content = compileSignedContent(scheme.signedContent)(request.body, {
    id: request.id,
    timestamp,
    url: request.url,
    header: (name) => request.headers?.[name],
  });
  if (content === undefined)
    throw new Error(
      `signedContent names a header the request does not have, or one that holds the text beside it: ${scheme.signedContent}`,
    );
  const key = signingKey(scheme.secret, secret);
  if (key === undefined)
    throw new Error(`the secret is not written in ${scheme.secret.encoding}, as the contract says`);
  const signature = createHmac(scheme.algorithm, key).update(content);
  headers[scheme.header] = scheme.prefix + signature.digest(scheme.encoding);
  return headers;
}
