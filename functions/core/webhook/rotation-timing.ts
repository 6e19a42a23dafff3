/** The shortest time between two readings of the secret that mismatches cause in one instance of ingest. */
export const rereadIntervalMs = 2_000;

/**
 * How long a rotation's mark stands before the service is asked for a new secret: an instance of ingest that has just
 * read the secret without the mark may read it again by then, so none can meet the new secret and not see the mark.
 * A second is for clocks and for the store's own delay.
 */
export const markLeadMs = rereadIntervalMs + 1_000;

/**
 * How long a mark stands, at most, if its own run does not remove it. Longer than the setup function may run and than the
 * service is thought to take for a change it did not confirm: only then is it sure that no other secret comes of it.
 */
export const rotationLimitMs = 180_000;

/** A signature that fits nothing is refused only if the service told its secret this long after the request came. */
export const confirmationMarginMs = 5_000;
