/**
 * Percent-encodes a text as UTF-8, as `encodeURIComponent` does, and never throws: a lone surrogate becomes U+FFFD, as in every URL
 * (WHATWG URL, "percent-encode after encoding").
 */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
