/**
 * What the pipeline runs with: the shortest timeout, which decides when what a dead process held comes again; every event told;
 * requests kept that cannot be verified yet; forwarded are events of one rare type alone.
 *
 * @param forwardUrl receives what is forwarded
 */
export const faultSettings = (forwardUrl: string) => ({
  'sms:workerTimeoutSeconds': 10,
  'sms:everyEvent': 'on',
  'sms:parkUnverified': 'always',
  'sms:optOutContacts': 'on',
  'sms:contactSync': 'on',
  'sms:billingWatch': 'on',
  'sms:forwardUrl': forwardUrl,
  'sms:forwardDetailTypes': 'SMS Billing Card Expiring',
});
