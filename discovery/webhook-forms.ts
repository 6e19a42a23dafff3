import { isDeepStrictEqual } from 'node:util';
import { type Contract, coversBody } from '../contract/schema/contract-schema.ts';
import type { WebhookMethod } from '../contract/schema/signed-template.ts';
import type { Capture } from './captured/capture.ts';
import { findSignature, type SearchOutcome } from './signature/find-signature.ts';
import { formatOf, methodOf } from './signature/readable-capture.ts';

type Webhook = Contract['webhook'];

/** How a service sends its requests. */
interface WebhookForms {
  /** Undefined if there was no secret, so that no search was possible. */
  readonly signature: SearchOutcome | undefined;
  /** The webhook with the methods of the captures, and with their signature if it was found. */
  readonly webhook: Webhook;
}

/**
 * Finds the HTTP methods and the signature of captures. Of a service that calls with POST and GET, each method may be signed in its own way.
 *
 * @param contract the webhook of the contract, which supplies what the captures do not show
 */
export function findWebhookForms(
  captures: readonly Capture[],
  secrets: readonly string[],
  contract: Webhook,
): WebhookForms {
  const search = (some: readonly Capture[]) =>
    secrets.length === 0 ? undefined : findSignature(some, secrets);
  const all = search(captures);
  const of = (method: WebhookMethod) => captures.filter((capture) => methodOf(capture) === method);
  const [posts, gets] = [of('POST'), of('GET')];
  // The verifier reads bodies in the format in which the mapping will read them.
  const before = { ...contract, bodyFormat: formatOf(posts) };
  const signature = all?.kind === 'found' ? all.scheme : before.signature;
  if (posts.length === 0 || gets.length === 0)
    return { signature: all, webhook: withMethod(before, gets.length > 0 ? 'GET' : 'POST', signature) };
  const main = withMethod(before, 'POST', signature);
  const also = { method: 'GET', bodyFormat: 'form' } as const;
  const isShared = all === undefined || (all.kind === 'found' && all.fits === captures.length);
  if (isShared) return { signature: all, webhook: { ...main, also } };
  const [ofPosts, ofGets] = [search(posts), search(gets)];
  if (ofPosts?.kind === 'found' && ofGets?.kind === 'found') {
    const isSame = isDeepStrictEqual(ofPosts.scheme, ofGets.scheme);
    return {
      signature: {
        ...ofPosts,
        fits: ofPosts.fits + ofGets.fits,
        tried: all.tried + ofPosts.tried + ofGets.tried,
        ambiguities: [...(ofPosts.ambiguities ?? []), ...(ofGets.ambiguities ?? [])],
      },
      webhook: {
        ...main,
        signature: ofPosts.scheme,
        also: { ...also, ...(!isSame && { signature: ofGets.scheme }) },
      },
    };
  }
  const [method, other, found] =
    ofPosts?.kind === 'found' ? (['POST', 'GET', ofPosts] as const) : (['GET', 'POST', ofGets] as const);
  if (found?.kind !== 'found') return { signature: all, webhook: { ...main, also } };
  const note = `The requests by ${other} do not verify. The contract accepts ${method} alone, so the pipeline answers ${other} with 405.`;
  return {
    signature: { ...found, ambiguities: [...(found.ambiguities ?? []), note] },
    webhook: withMethod(before, method, found.scheme),
  };
}

/** Keeps a second form that was not captured, unless the signature cannot cover its requests. */
function withMethod(before: Webhook, method: WebhookMethod, signature: Webhook['signature']): Webhook {
  const { method: _, also, ...webhook } = before;
  const isKept =
    also !== undefined &&
    also.method !== method &&
    (also.signature !== undefined || coversBody(signature, also.method));
  return { ...webhook, signature, ...(method === 'GET' && { method }), ...(isKept && { also }) };
}
