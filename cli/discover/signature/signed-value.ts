import type { HeaderPart } from '../../../functions/core/signature/header-value.ts';

/** A value beside the body that may be signed. */
export interface SignedValue extends HeaderPart {
  /** `time` is a number of seconds or milliseconds; `token` anything else that is one word. */
  readonly kind: 'time' | 'token' | 'url';
  readonly unit: 'seconds' | 'milliseconds';
  /** By the capture's place in the list; one character a byte, as it is hashed. */
  readonly texts: readonly (string | undefined)[];
  /** Whether its name says that it may well be signed; the URL and times always are. */
  readonly isLikely: boolean;
  /** Other places that hold the same in every capture. */
  readonly alike: readonly string[];
}
