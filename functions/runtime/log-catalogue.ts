/** The lines that ingest writes. They are a constant of their own, so that its bundle leaves the other texts out. */
export const ingestLogs = {
  REQUEST_REJECTED: { code: 'INGEST-01', level: 'warn', message: 'Webhook request rejected' },
  QUEUE_UNAVAILABLE: {
    code: 'INGEST-02',
    level: 'error',
    message: 'Webhook request not queued: SQS did not confirm',
  },
  SECRET_UNAVAILABLE: { code: 'INGEST-03', level: 'error', message: 'Webhook secret could not be read' },
  SECRET_NOT_REGISTERED: {
    code: 'INGEST-04',
    level: 'error',
    message: 'No webhook secret yet: setup has not registered',
  },
  SECRET_STALE: {
    code: 'INGEST-05',
    level: 'warn',
    message: 'Webhook secret could not be refreshed; the cached one is used',
  },
  SIGNAL_NOT_SENT: {
    code: 'INGEST-06',
    level: 'warn',
    message: 'Mismatches not told to setup; its schedule will notice them',
  },
  REQUEST_CAPTURED: {
    code: 'INGEST-07',
    level: 'info',
    message: 'Webhook request captured: without the capture it would have been refused',
  },
} as const;

/** The lines of all other functions. */
const functionLogs = {
  BATCH_STORED: { code: 'WORKER-01', level: 'debug', message: 'Batch stored' },
  EVENT_QUARANTINED: { code: 'WORKER-02', level: 'warn', message: 'Event quarantined' },
  STATUS_UNMAPPED: { code: 'WORKER-03', level: 'warn', message: 'Status word is not in the contract' },
  STORE_FAILED: {
    code: 'WORKER-04',
    level: 'error',
    message: 'Events could not be stored; their queue messages will be retried',
  },
  PARKED_WAITING: {
    code: 'WORKER-05',
    level: 'info',
    message: 'Parked requests wait: whether their signature is genuine is not known yet',
  },
  PARKED_REFUSED: {
    code: 'WORKER-06',
    level: 'warn',
    message: "Parked request refused into quarantine: its signature fits none of the service's secrets",
  },
  PARKED_UNDECIDED: {
    code: 'WORKER-07',
    level: 'error',
    message: 'Parked requests wait: the webhook secret or its state could not be read',
  },
  VERIFIED_NOT_RECORDED: {
    code: 'WORKER-08',
    level: 'warn',
    message: 'Time of the last verified request not written down: `webhook status` shows an earlier one',
  },
  CAPTURED_KEPT: {
    code: 'WORKER-09',
    level: 'info',
    message: 'Captured request kept in quarantine; nothing of it counts',
  },
  CONTRACT_DRIFTED: {
    code: 'WORKER-10',
    level: 'warn',
    message: 'Events differ from the contract and its samples in a way that is new today',
  },
  DRIFT_NOT_NOTED: {
    code: 'WORKER-11',
    level: 'warn',
    message: 'What differs from the contract not written down; a later batch does it',
  },
  WEBHOOK_REGISTERED: { code: 'SETUP-01', level: 'info', message: 'Webhook registered' },
  WEBHOOK_UNCHANGED: { code: 'SETUP-02', level: 'info', message: 'Webhook already registered' },
  WEBHOOK_DEACTIVATED: { code: 'SETUP-03', level: 'info', message: 'Webhook deactivated' },
  WEBHOOK_NOT_OURS: { code: 'SETUP-04', level: 'warn', message: 'Webhook left alone: its URL is not ours' },
  WEBHOOK_REPLACED: {
    code: 'SETUP-06',
    level: 'warn',
    message: 'Webhook replaced: the service sent its events to another URL until now',
  },
  SECRET_ROTATED: { code: 'SETUP-07', level: 'info', message: 'Webhook secret rotated' },
  SECRET_STORED_UNDER_MARK: {
    code: 'SETUP-08',
    level: 'warn',
    message:
      "New secret stored under the mark of another run's rotation; the mark remains until that rotation can no longer take effect",
  },
  ROTATION_MARK_OVERDUE: {
    code: 'SETUP-09',
    level: 'warn',
    message: 'Mark of a rotation removed: the run that set it did not end it',
  },
  ROTATION_UNDECIDED: {
    code: 'SETUP-10',
    level: 'error',
    message:
      'The service did not confirm the rotation: requests are parked until a later run sees the outcome',
  },
  WEBHOOK_DRIFTED: { code: 'SETUP-11', level: 'warn', message: 'Webhook was changed elsewhere' },
  STATE_NOT_WRITTEN: {
    code: 'SETUP-13',
    level: 'warn',
    message: 'State of the webhook not written; the next run writes it',
  },
  MISMATCHES_TOLD: { code: 'SETUP-12', level: 'info', message: 'Signatures did not fit' },
  CAPTURE_DECIDED: {
    code: 'SETUP-15',
    level: 'warn',
    message: 'Capture of requests that would be rejected switched on or off',
  },
  QUERY_FAILED: { code: 'QUERY-01', level: 'error', message: 'Question about the history not answered' },
  STALE_MARKED: {
    code: 'SWEEP-01',
    level: 'info',
    message: 'Messages without a final report marked unknown',
  },
  SWEEP_UNFINISHED: {
    code: 'SWEEP-02',
    level: 'warn',
    message: 'Sweep ended early; the next one goes on',
  },
  SWEEP_FAILED: {
    code: 'SWEEP-03',
    level: 'error',
    message: 'Stale messages not marked; the next sweep tries again',
  },
  EXPORT_REQUESTED: { code: 'EXPORT-01', level: 'info', message: 'Export of a day to S3 requested' },
  EXPORT_FAILED: {
    code: 'EXPORT-02',
    level: 'error',
    message: 'Export to S3 not requested; the next run tries again',
  },
  PUBLISH_FAILED: {
    code: 'PUBLISH-01',
    level: 'error',
    message: 'Events not published; the stream delivers them again',
  },
  PUBLISH_REFUSED: {
    code: 'PUBLISH-02',
    level: 'error',
    message: 'Event cannot be published; its ids are in the queue of failures',
  },
  BATCH_PUBLISHED: { code: 'PUBLISH-03', level: 'debug', message: 'Batch published' },
  AUTOMATION_FAILED: {
    code: 'AUTOMATION-01',
    level: 'warn',
    message: 'Event not worked off; its queue message comes again',
  },
  AUTOMATION_WAIT_NOT_SET: {
    code: 'AUTOMATION-02',
    level: 'warn',
    message: 'Failed events come again after the visibility timeout of the queue instead of their own wait',
  },
  AUTOMATION_GIVEN_UP: {
    code: 'AUTOMATION-03',
    level: 'error',
    message: 'Event given up; it is in the dead letter queue',
  },
  AUTOMATION_NOT_GIVEN_UP: {
    code: 'AUTOMATION-04',
    level: 'error',
    message: 'Event could not be sent to the dead letter queue; its queue message comes again',
  },
  ALERTS_SENT: { code: 'ALERT-01', level: 'info', message: 'Notices about failed messages sent' },
  ALERT_UNREADABLE: {
    code: 'ALERT-02',
    level: 'warn',
    message: 'Queue messages that are no events left for the dead letter queue',
  },
  ALERTS_UNFINISHED: {
    code: 'ALERT-03',
    level: 'warn',
    message: 'Round of notices ended early; the next one goes on',
  },
  ALERTS_FAILED: {
    code: 'ALERT-04',
    level: 'error',
    message: 'Failed messages not told, or told and not deleted; they come again',
  },
  BILLING_CHECKED: { code: 'BILLING-01', level: 'info', message: 'Saved cards looked at' },
  BILLING_FAILED: {
    code: 'BILLING-02',
    level: 'error',
    message: 'Saved cards not looked at, or their event not published; the next run tries again',
  },
  DRIFT_NOT_PUBLISHED: {
    code: 'SETUP-14',
    level: 'error',
    message: 'Event about a webhook that was changed elsewhere not published; no later run publishes it',
  },
  SETUP_FAILED: { code: 'SETUP-05', level: 'error', message: 'Webhook setup failed' },
} as const;

/**
 * Every line the functions log: a stable code, a level and a message.
 * Fields beside it are counts, ids of ours, reasons and names of errors; never a body, number, text, signature or secret.
 */
export const logCatalogue = /* @__PURE__ */ Object.assign({}, ingestLogs, functionLogs);

export type LogName = keyof typeof logCatalogue;

/** Writes one line of the catalogue, or of the part that is named. */
export type Log<Name extends LogName = LogName> = (
  name: Name,
  fields?: Readonly<Record<string, string | number | boolean | null>>,
) => void;

export type IngestLog = Log<keyof typeof ingestLogs>;
