/** How long SQS keeps a message: its longest, so that nothing acknowledged is lost while a consumer is down. */
export const queueRetentionDays = 14;

/**
 * How long a received message stays invisible, in seconds: long enough for Lambda to gather a batch and to try a
 * throttled function again, as the Lambda developer guide asks ("Using Lambda with Amazon SQS": six times the timeout).
 */
export function visibilityTimeoutSeconds(functionTimeoutSeconds: number, batchWindowSeconds: number): number {
  return 6 * functionTimeoutSeconds + batchWindowSeconds;
}
