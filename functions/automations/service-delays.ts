/**
 * The waits between the tries of a message that calls the SMS service, in seconds: after 30 s, 2 min, 10 min and 1 h every 4 h,
 * for about four days. The service, or its API key, may be away for a weekend.
 */
export const serviceDelaysSeconds: readonly number[] = [
  30,
  120,
  600,
  3600,
  ...Array.from({ length: 25 }, () => 14_400),
];
