import type { SignatureContract } from '../../contract/schema/contract-schema.ts';
import { readPublicKey } from '../../contract/signature/keys.ts';
import type { Capture } from '../captured/capture.ts';
import { type Confirmed, createEffort } from './confirm.ts';
import { separators } from './layouts.ts';
import { type ReadableCapture, readableCapture, withQueryAsBody } from './readable-capture.ts';
import { searchSignedText } from './search-signed-text.ts';
import { searchJwt, searchToken } from './search-tokens.ts';
import { findSlots, isSignatureName, type SignatureSlot } from './signature-slots.ts';
import { findValues, type SignedValues } from './signed-values.ts';

interface FoundSignature {
  readonly kind: 'found';
  /** The complete scheme, as contract.json holds it. */
  readonly scheme: SignatureContract;
  /** How many of the captures verify by it. */
  readonly fits: number;
  /** How many candidates were checked: signatures computed or verified, tokens compared. */
  readonly tried: number;
  /** The questions that the captures leave open, in sentences without values of headers or secrets. */
  readonly ambiguities?: readonly string[];
}

interface MissedSignature {
  readonly kind: 'missed';
  readonly tried: number;
  /** The places and schemes that were searched, in sentences. */
  readonly searched: readonly string[];
  /** The observations and the possible remedies, in sentences without values of headers or secrets. */
  readonly missing: readonly string[];
}

export type SearchOutcome = FoundSignature | MissedSignature;

const lengths: Readonly<Record<number, string>> = {
  16: 'MD5 or HMAC-MD5',
  20: 'HMAC-SHA1',
  32: 'HMAC-SHA256',
  48: 'HMAC-SHA384',
  64: 'HMAC-SHA512 or Ed25519',
};

/** Lists the places and schemes that a search covers. */
function describeSearch(
  captures: readonly ReadableCapture[],
  secrets: readonly string[],
  { usual, carried }: SignedValues,
): readonly string[] {
  const headers = new Set(
    captures.flatMap((capture) => [...capture.headers.keys(), ...capture.masked.keys()]),
  );
  const keys = new Set(secrets.map((secret) => readPublicKey(secret)?.asymmetricKeyType).filter(Boolean));
  const beside = [...usual, ...carried].map(({ kind, name, part }) =>
    kind === 'url'
      ? 'the URL'
      : `${name}${part === undefined || part.prefix === '' ? '' : ` (${part.prefix}...)`}${kind === 'time' ? ' as the time' : ''}`,
  );
  return [
    `Headers: ${[...headers].sort().join(', ') || 'only those of the transport'}; whole and as lists with commas, semicolons or blanks, with and without words in front.`,
    'HMAC and plain hashes of a text with the secret, with MD5, SHA-1, SHA-256, SHA-384 and SHA-512, JSON Web Tokens with a hash of the body, and the secret itself as text or base64, also in parameters of the URL and fields of the body.',
    'Signatures in parameters of the URL and fields of the body that are named like one.',
    keys.size === 0 ? 'No public keys: none of the secrets is one.' : `Public keys: ${[...keys].join(', ')}.`,
    'Signatures in hex, base64 and base64url.',
    'Secrets as UTF-8, base64 and hex, whole and after a prefix such as "whsec_".',
    `Signed: the body, its hashes and its parameters, sorted or as received, alone and with up to three of ${beside.join(', ')}, in every order, with ${separators.map((text) => JSON.stringify(text)).join(' ')} between; requests with the method and parts of the URL; and these values without the body.`,
  ];
}

/** Explains what was seen and what would help. */
function describeMissing(
  captures: readonly ReadableCapture[],
  secrets: readonly string[],
  slots: readonly SignatureSlot[],
  refused: readonly string[],
  wasCutShort: boolean,
): readonly string[] {
  const notes = [...refused];
  if (captures.length === 0) return ['There is no capture to search.'];
  if (secrets.length === 0)
    notes.push(
      'No secret was given. Without it, signatures and tokens cannot be distinguished from other headers.',
    );
  const unexplained = slots.filter(({ header }) => !refused.some((note) => note.startsWith(`${header}:`)));
  const seen = new Map(unexplained.map((slot) => [slot.header, lookOf(slot)]));
  for (const [header, look] of seen)
    notes.push(`${header}: ${look}, and no scheme that was tried matches it.`);
  const isMasked = captures.some(({ masked }) => masked.size > 0);
  if (slots.length === 0 && refused.length === 0)
    notes.push(
      isMasked
        ? 'No header looks like a signature. Credentials were masked when the requests were captured, and none of them matches a secret.'
        : 'No header looks like a signature, a JSON Web Token or one of the secrets: does the service sign at all, and do the captures hold all headers?',
    );
  else if (secrets.length > 0)
    notes.push(
      'Is it the secret of this webhook, and not an API key? Is the body byte for byte as it was sent?',
      `Did the service post to another URL (a proxy, http instead of https, a port)? The captures have ${originsOf(captures)}.`,
      'The signed content may hold what no search tries: single fields of the body, or a word that the documentation names.',
    );
  if (secrets.some((secret) => secret.length > 5 && captures.some(({ capture }) => holds(capture, secret))))
    notes.push(
      'A secret is in the URL or in the body of a capture, but is not the whole value of a parameter or a field.',
    );
  if (secrets.some((secret) => !secret.startsWith('-----BEGIN') && secret !== secret.trim()))
    notes.push('A secret begins or ends with a blank or a line break. Is that part of it?');
  if (wasCutShort)
    notes.push('The search ended at its limit. Fewer captures with smaller bodies leave more time for each.');
  return notes;
}

function lookOf({ encodings, signatures }: SignatureSlot): string {
  const length = [...signatures.values()][0]?.[0]?.length ?? 0;
  const name = lengths[length] ?? 'a signature with a private key';
  return `looks like ${name} (${length} bytes in ${encodings.join(' or ')})`;
}

function originsOf(captures: readonly ReadableCapture[]): string {
  const urls = captures.flatMap(({ capture }) => URL.parse(capture.url) ?? []);
  return [...new Set(urls.map(({ origin }) => origin))].join(', ');
}

function holds({ url, body }: Capture, secret: string): boolean {
  // As bytes: with a text that has a lone surrogate, the search ends the process (Node.js 24.21).
  return url.includes(secret) || Buffer.from(body).includes(Buffer.from(secret));
}

interface SearchOptions {
  /** The estimated time that a search may take on a small machine, in milliseconds. Then unlikely candidates are left out. */
  readonly effortMs?: number;
}

/**
 * Finds how a service signs: the scheme for `webhook.signature` that verifies the captures. The pipeline's own verifier confirms the
 * result. A scheme with a signature wins over a token in a header.
 *
 * @param secrets shared secrets, tokens or public keys, as the service writes them
 * @example
 * const outcome = findSignature(captures, ['whsec_...']);
 * if (outcome.kind === 'found') contract.webhook.signature = outcome.scheme;
 */
export function findSignature(
  captures: readonly Capture[],
  secrets: readonly string[],
  { effortMs = 1500 }: SearchOptions = {},
): SearchOutcome {
  const effort = createEffort(effortMs);
  const readable = captures.map((capture) => readableCapture(withQueryAsBody(capture)));
  const found = (confirmed: Confirmed): FoundSignature => withNotes(confirmed, effort.tried());

  const jwt = searchJwt(readable, secrets, effort);
  if (jwt.best !== undefined) return found(jwt.best);

  const token = searchToken(readable, secrets, effort);
  const slots = findSlots(readable);
  const values = findValues(readable, slots);
  const inHeaders = slots.filter(({ place }) => 'header' in place);
  const named = inHeaders.filter(({ header }) => isSignatureName(header));
  const others = inHeaders.filter((slot) => !named.includes(slot));
  const search = (some: typeof slots, rounds: number) =>
    searchSignedText(readable, secrets, some, values, effort, rounds);
  // Once a token was found, only likely signatures are worth trying. Headers without a signature's name mostly hold something else.
  const first = search(named, token === undefined ? 4 : 1);
  const inFields = Map.groupBy(
    slots.filter(({ place }) => !('header' in place)),
    ({ header }) => header,
  );
  const rest = [[others, token !== undefined ? 1 : named.length > 0 ? 3 : 4] as const];
  const searches = [...[...inFields.values()].map((some) => [some, 3] as const), ...rest];
  const text = searches.reduce((before, [some, rounds]) => {
    if (before.best !== undefined) return before;
    const { best, refused } = search(some, rounds);
    return { best, refused: [...before.refused, ...refused] };
  }, first);
  if (text.best !== undefined) return found(text.best);
  if (token !== undefined) return found(token);

  const refused = [...jwt.refused, ...text.refused];
  return {
    kind: 'missed',
    tried: effort.tried(),
    searched: describeSearch(readable, secrets, values),
    missing: describeMissing(readable, secrets, slots, refused, effort.isSpent()),
  };
}

function withNotes({ scheme, fits, carriers, ambiguities }: Confirmed, tried: number): FoundSignature {
  const notes = [
    ...ambiguities,
    ...(scheme.scheme === 'token' && scheme.header === undefined
      ? [
          'Requests carry the secret itself, and nothing is signed: a reader of one request, or of a log on its way, can write history.',
        ]
      : []),
    ...(fits === 1
      ? ['Only one capture verifies. A second one would show what changes from request to request.']
      : []),
    ...(fits < carriers
      ? [
          `${carriers - fits} of ${carriers} captures with the header do not verify: forged, changed on their way, or signed with another secret?`,
        ]
      : []),
  ];
  return { kind: 'found', scheme, fits, tried, ...(notes.length === 0 ? {} : { ambiguities: notes }) };
}
