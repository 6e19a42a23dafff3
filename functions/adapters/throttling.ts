const throttlings: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
]);

/** Whether DynamoDB asks its callers to slow down. */
export function isThrottling(error: unknown): boolean {
  return error instanceof Error && throttlings.has(error.name);
}
