/** No service makes shorter secrets. Standard Webhooks asks for 24 bytes. */
const minSecretLength = 16;

/**
 * What services show in place of a secret that they do not show again, and what their examples have there. A random secret of 24 bytes in
 * Base64 or in hexadecimal digits is like one of these less than once in 100,000 times, one of 16 letters and digits once in 15,000 times.
 */
const masks: readonly RegExp[] = [
  /(?:^|[-_])x{4}|x{6}|x{4}$|\*\*|\.\.\.|###|%%|\{\{/i,
  // Dots and stars of many kinds. Services make secrets of ASCII.
  /[^\s\x21-\x7e]/,
  // A character eight times in a row, or the digits in their order.
  /(.)\1{7}|12345678/s,
  // `<signing-secret>`, `[REDACTED]`, `${SECRET}`
  /^\$?[<[{(].*[>\]})]$/s,
  /^https?:/i,
  // Words such as `not_available_in_this_plan`, `whsec_<Your-Signing-Secret>` or `NotAvailableForThisPlan`.
  /^[\W_]*(?:[A-Z]?[a-z]{2,}|[A-Z]{2,})(?:[\W_]+(?:[A-Z]?[a-z]{2,}|[A-Z]{2,}))+[\W_]*$/,
  /^(?:[A-Z][a-z]{2,}){3,}$/,
];

/** Words of a mask without the signs between them. Most count within any text. */
const maskWords =
  /^(?:null|none|secret|x)*$|your.{0,20}(?:key|secret|token)|secret.{0,10}(?:here|value)|hidden|masked|redacted|filtered|protected|encrypted|notshown|unavailable|undefined|placeholder|changeme/i;

/** Returns whether everyone could guess this text, because services and their examples show such texts in place of a secret. */
export function isMask(secret: string): boolean {
  return masks.some((mask) => mask.test(secret)) || maskWords.test(secret.replace(/[\W_]/g, ''));
}

/** Returns whether a text is shorter than any secret that a service makes, or has blanks, as sentences have. */
export function isTooPlain(secret: string): boolean {
  return secret.length < minSecretLength || /\s/.test(secret);
}
