/**
 * What the pipeline runs with: the shortest timeout, which decides when what a dead process held comes again; every event told;
 * requests kept that cannot be verified yet.
 */
export const faultSettings = {
  'sms:workerTimeoutSeconds': 10,
  'sms:everyEvent': 'on',
  'sms:parkUnverified': 'always',
  'sms:optOutContacts': 'on',
  'sms:contactSync': 'on',
  'sms:billingWatch': 'on',
} as const;
