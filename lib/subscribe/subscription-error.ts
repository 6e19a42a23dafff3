/**
 * Thrown if a filter or a target is wrong, if a second subscription would have the logical ids of another, or if EventBridge could not deliver to the target
 * from the bus of another account; the message says what to do.
 */
export class SubscriptionError extends Error {
  override readonly name = 'SubscriptionError';
}
