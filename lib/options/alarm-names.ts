const alarmsOfQueue = ['DeadLettersPresent', 'MessagesFailing', 'QueueBehind', 'ConsumerErrors'] as const;

/** The automations with a queue and a function that reads it: their names are in front of the names of the queue's alarms. */
const automationsWithQueue = ['ContactSync', 'Forward', 'OptOut'] as const;

/**
 * The composite alarms. Each pages once for all its members, and for none while another one is on: a member ends by itself when its cause
 * does, and no sender of requests can set it off.
 */
export const incidents = ['EventsNotStored', 'EventsNotPublished'] as const;

export type Incident = (typeof incidents)[number];

/** Every alarm of a pipeline, as docs/operate/alarms.md lists it. Alarms of subscriptions are not among them. */
export const alarmNames: readonly string[] = [
  ...incidents,
  ...alarmsOfQueue,
  'EventsQuarantined',
  'RequestsNotAccepted',
  'RequestsNearThrottle',
  'ApiServerErrors',
  'RequestsRejected',
  'AllRequestsRejected',
  'RejectedSource',
  'WebhookDrifted',
  'SetupErrors',
  'PublisherBehind',
  'PublisherErrors',
  'PublisherFailuresPresent',
  'InsightsBehind',
  'QueryErrors',
  'SweepErrors',
  'LookupErrors',
  'ExporterErrors',
  'DeliveryDegraded',
  'DeliveryWatchErrors',
  'BillingWatchErrors',
  'AlertErrors',
  ...automationsWithQueue.flatMap((automation) => alarmsOfQueue.map((alarm) => `${automation}${alarm}`)),
  // Its function reads the queue on a schedule.
  'FailureAlertDeadLettersPresent',
  'FailureAlertQueueBehind',
];
