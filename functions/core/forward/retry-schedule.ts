const minute = 60;
const hour = 60 * minute;

/**
 * The waits between the tries of a forwarded event, in seconds: just under 24 hours in all, then it goes to the dead letter
 * queue. They grow, so that a short outage is over soon and a long one is not met with a flood (Standard Webhooks,
 * "Deliverability and reliability"). SQS hides a message for at most 12 hours.
 */
export const forwardDelaysSeconds: readonly number[] = [
  5,
  30,
  2 * minute,
  5 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  6 * hour,
  10 * hour,
];
