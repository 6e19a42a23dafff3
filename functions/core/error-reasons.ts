/** Why a message failed, in words that mean the same whatever the service. */
export const canonicalErrorReasons = [
  'invalid_number',
  'unreachable',
  'landline',
  'blocked',
  'opted_out',
  'spam',
  'content_rejected',
  'carrier_rejected',
  'unregistered_sender',
  'no_route',
  'expired',
  'throttled',
  'insufficient_funds',
  'service_error',
  'unknown',
] as const;

export type CanonicalErrorReason = (typeof canonicalErrorReasons)[number];
