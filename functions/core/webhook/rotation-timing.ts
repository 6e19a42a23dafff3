/** The shortest time between the beginnings of two readings of the secret in one instance of ingest. */
export const rereadIntervalMs = 500;

/** How long after a write Secrets Manager may still answer with the version before. AWS documents no bound. */
const storeLagMs = 2_500;

/**
 * How long a rotation's mark stands before the service is asked for a new secret. An instance of ingest refuses a request only by
 * a reading that began less than {@link rereadIntervalMs} before, by both of its clocks. A request with the new secret arrives after the
 * service was asked, so that reading began at least {@link storeLagMs} after the mark was stored, however long any process stalls.
 */
export const markLeadMs = rereadIntervalMs + storeLagMs;

/**
 * How long a mark stands, at most, if its own run does not remove it. A run can ask the service until its invocation ends, which
 * is {@link invocationLimitMs} after it began at the latest. What is left is for the service, which may apply a change that it
 * did not confirm, and for clocks that differ: only then is it sure that no other secret comes of it.
 */
export const rotationLimitMs = 180_000;

/** The longest an invocation of the setup function lasts: Lambda ends its process then, however slow it is. */
export const invocationLimitMs = 90_000;

/**
 * A signature that fits nothing is refused only if the service was asked for its secret this long after the request came. Both
 * times are taken before what they stand for, so stalls do not matter: this is for the difference between the clocks of two machines.
 */
export const confirmationMarginMs = 5_000;
