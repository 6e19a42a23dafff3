import type { Capture } from '../../capture.ts';
import type { Confirmed } from './confirm.ts';
import { createEffort } from './effort.ts';
import { describeMissing, describeSearch } from './explain-miss.ts';
import { readableCapture } from './readable-capture.ts';
import { searchJwt } from './search-jwt.ts';
import type { FoundSignature, SearchOutcome } from './search-outcome.ts';
import { searchSignedText } from './search-signed-text.ts';
import { searchToken } from './search-token.ts';
import { findSlots, isSignatureName } from './signature-slots.ts';
import { findValues } from './signed-values.ts';

export type { SearchOutcome } from './search-outcome.ts';

export interface SearchOptions {
  /** About how long a search may take on a small machine, in milliseconds; then what is unlikely is left out. */
  readonly effortMs?: number;
}

/**
 * Finds how a service signs: the scheme for `webhook.signature` that fits what was captured. What it finds was verified on
 * the captures by the pipeline's own verifier. Where several schemes fit, a signature goes before a token in a header.
 *
 * @param secrets as the service hands them out: shared secrets, tokens or public keys
 * @example
 * const outcome = findSignature(captures, ['whsec_...']);
 * if (outcome.found) contract.webhook.signature = outcome.scheme;
 */
export function findSignature(
  captures: readonly Capture[],
  secrets: readonly string[],
  { effortMs = 1500 }: SearchOptions = {},
): SearchOutcome {
  const effort = createEffort(effortMs);
  const readable = captures.map(readableCapture);
  const found = (confirmed: Confirmed): FoundSignature => withNotes(confirmed, effort.tried());

  const jwt = searchJwt(readable, secrets, effort);
  if (jwt.best !== undefined) return found(jwt.best);

  const token = searchToken(readable, secrets, effort);
  const slots = findSlots(readable);
  const values = findValues(readable, slots);
  const named = slots.filter(({ header }) => isSignatureName(header));
  const others = slots.filter((slot) => !named.includes(slot));
  const search = (some: typeof slots, rounds: number) =>
    searchSignedText(readable, secrets, some, values, effort, rounds);
  // With a token at hand only what is likely is worth a try, and what is not called a signature is mostly something else.
  const first = search(named, token === undefined ? 3 : 1);
  const text =
    first.best === undefined ? search(others, token !== undefined ? 1 : named.length > 0 ? 2 : 3) : first;
  if (text.best !== undefined) return found(text.best);
  if (token !== undefined) return found(token);

  const refused = [...jwt.refused, ...first.refused, ...text.refused];
  return {
    found: false,
    tried: effort.tried(),
    searched: describeSearch(readable, secrets, values),
    missing: describeMissing(readable, secrets, slots, refused, effort.isSpent()),
  };
}

function withNotes({ scheme, fits, carriers, ambiguities }: Confirmed, tried: number): FoundSignature {
  const notes = [
    ...ambiguities,
    ...(fits === 1
      ? ['Only one capture fits: a second one would show what changes from request to request.']
      : []),
    ...(fits < carriers
      ? [
          `${carriers - fits} of ${carriers} captures with the header do not fit: forged, changed on their way, or signed with another secret?`,
        ]
      : []),
  ];
  return { found: true, scheme, fits, tried, ...(notes.length === 0 ? {} : { ambiguities: notes }) };
}
