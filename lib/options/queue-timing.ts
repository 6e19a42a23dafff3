/** The retention of a queue's messages: SQS's maximum, so that no acknowledged event is lost while a consumer is down. */
export const queueRetentionDays = 14;

/**
 * The visibility timeout in seconds. Lambda needs it to gather a batch and to retry a throttled function (Lambda developer guide,
 * "Using Lambda with Amazon SQS": six times the function's timeout).
 */
export function visibilityTimeoutSeconds(functionTimeoutSeconds: number, batchWindowSeconds: number): number {
  return 6 * functionTimeoutSeconds + batchWindowSeconds;
}
