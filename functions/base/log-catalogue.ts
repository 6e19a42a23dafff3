/** The log lines of ingest. They are a constant of their own so that its bundle, whose size costs cold start time, leaves out the others. */
export const ingestLogs = {
  REQUEST_REJECTED: { code: 'INGEST-01', level: 'warn', message: 'Webhook request rejected' },
  QUEUE_UNAVAILABLE: {
    code: 'INGEST-02',
    level: 'error',
    message: 'Webhook request not queued: SQS did not confirm it',
  },
  SECRET_UNAVAILABLE: { code: 'INGEST-03', level: 'error', message: 'Webhook secret could not be read' },
  SECRET_NOT_REGISTERED: {
    code: 'INGEST-04',
    level: 'error',
    message: 'No webhook secret is stored: the webhook is not registered yet',
  },
  SECRET_STALE: {
    code: 'INGEST-05',
    level: 'warn',
    message: 'Webhook secret could not be refreshed; the cached one is used',
  },
  SIGNAL_NOT_SENT: {
    code: 'INGEST-06',
    level: 'warn',
    message: 'Mismatches not reported to setup; its schedule detects them',
  },
  REQUEST_CAPTURED: {
    code: 'INGEST-07',
    level: 'info',
    message: 'Webhook request captured that would have been rejected',
  },
  VERIFIER_FAILED: { code: 'INGEST-08', level: 'error', message: 'Check of the signature failed' },
} as const;

/** The log lines of all other functions. */
const functionLogs = {
  BATCH_STORED: { code: 'WORKER-01', level: 'debug', message: 'Batch stored' },
  EVENT_QUARANTINED: { code: 'WORKER-02', level: 'warn', message: 'Event quarantined' },
  STATUS_UNMAPPED: { code: 'WORKER-03', level: 'warn', message: 'Status word is not in the contract' },
  STORE_FAILED: {
    code: 'WORKER-04',
    level: 'error',
    message: 'Events could not be stored; SQS redelivers their queue messages',
  },
  PARKED_WAITING: {
    code: 'WORKER-05',
    level: 'info',
    message: 'Parked requests stay in the queue: their signature cannot be verified yet',
  },
  PARKED_REFUSED: {
    code: 'WORKER-06',
    level: 'warn',
    message: 'Parked request moved to quarantine: its signature matches no secret of the service',
  },
  PARKED_UNDECIDED: {
    code: 'WORKER-07',
    level: 'error',
    message: 'Parked requests stay in the queue: the webhook secret or its state could not be read',
  },
  VERIFIED_NOT_RECORDED: {
    code: 'WORKER-08',
    level: 'warn',
    message: 'Time of the last verified request not recorded; `webhook status` shows an earlier one',
  },
  CAPTURED_KEPT: {
    code: 'WORKER-09',
    level: 'info',
    message: 'Captured request kept in quarantine; its events are not stored',
  },
  CONTRACT_DRIFTED: {
    code: 'WORKER-10',
    level: 'warn',
    message: 'Events differ from the contract or its samples in a way that is new today',
  },
  DRIFT_NOT_NOTED: {
    code: 'WORKER-11',
    level: 'warn',
    message: 'Differences from the contract not recorded; a later batch records them',
  },
  WEBHOOK_REGISTERED: { code: 'SETUP-01', level: 'info', message: 'Webhook registered' },
  WEBHOOK_UNCHANGED: { code: 'SETUP-02', level: 'info', message: 'Webhook already registered' },
  WEBHOOK_DEACTIVATED: { code: 'SETUP-03', level: 'info', message: 'Webhook deactivated' },
  WEBHOOK_NOT_OURS: {
    code: 'SETUP-04',
    level: 'warn',
    message: 'Webhook left unchanged: its URL belongs to another receiver',
  },
  WEBHOOK_REPLACED: {
    code: 'SETUP-06',
    level: 'warn',
    message: 'Webhook replaced: the service sent its events to another URL before',
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
    message: 'Mark of a rotation removed: the run that set it did not finish',
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
    message: 'State of the webhook not stored; the next run stores it',
  },
  MISMATCHES_REPORTED: {
    code: 'SETUP-12',
    level: 'info',
    message: 'Signatures did not match the stored secrets',
  },
  QUERY_FAILED: { code: 'QUERY-01', level: 'error', message: 'History query failed' },
  NUMBERS_REVEALED: {
    code: 'QUERY-02',
    level: 'info',
    message: 'Whole numbers shown',
  },
  REPLAY_REQUESTED: {
    code: 'CONSOLE-01',
    level: 'info',
    message: 'Replay of a quarantine entry requested by a user of the console',
  },
  CONSOLE_FAILED: { code: 'CONSOLE-02', level: 'error', message: 'Request of the console failed' },
  STALE_MARKED: {
    code: 'SWEEP-01',
    level: 'info',
    message: 'Messages without a final report marked unknown',
  },
  SWEEP_UNFINISHED: {
    code: 'SWEEP-02',
    level: 'warn',
    message: 'Sweep ended early; the next one continues',
  },
  SWEEP_FAILED: {
    code: 'SWEEP-03',
    level: 'error',
    message: 'Messages not marked or not listed; the next sweep retries',
  },
  EXPORT_REQUESTED: { code: 'EXPORT-01', level: 'info', message: 'Export of a day to S3 requested' },
  EXPORT_FAILED: {
    code: 'EXPORT-02',
    level: 'error',
    message: 'Export to S3 not requested; the next run retries',
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
  COUNT_FAILED: {
    code: 'INSIGHTS-01',
    level: 'error',
    message: 'Changes of the history not counted; the stream delivers them again',
  },
  CODES_FULL: {
    code: 'INSIGHTS-02',
    level: 'warn',
    message: 'Failures with further error codes count together, under *',
  },
  CHANGE_NOT_COUNTED: {
    code: 'INSIGHTS-03',
    level: 'error',
    message: 'Change of the history cannot be counted, and is left out',
  },
  AUTOMATION_FAILED: {
    code: 'AUTOMATION-01',
    level: 'warn',
    message: 'Event not processed; SQS redelivers its queue message',
  },
  AUTOMATION_WAIT_NOT_SET: {
    code: 'AUTOMATION-02',
    level: 'warn',
    message:
      'Failed events are redelivered after the visibility timeout of the queue instead of their own wait',
  },
  AUTOMATION_GIVEN_UP: {
    code: 'AUTOMATION-03',
    level: 'error',
    message: 'Event moved to the dead-letter queue',
  },
  AUTOMATION_NOT_GIVEN_UP: {
    code: 'AUTOMATION-04',
    level: 'error',
    message: 'Event could not be sent to the dead-letter queue; SQS redelivers its queue message',
  },
  AUTOMATION_PAUSED: {
    code: 'AUTOMATION-05',
    level: 'warn',
    message: 'Events wait without a call, because the destination fails for the event that probes it',
  },
  ALERTS_SENT: { code: 'ALERT-01', level: 'info', message: 'Notices about failed messages sent' },
  ALERT_UNREADABLE: {
    code: 'ALERT-02',
    level: 'warn',
    message: 'Queue messages that are no events are left for the dead-letter queue',
  },
  ALERTS_UNFINISHED: {
    code: 'ALERT-03',
    level: 'warn',
    message: 'Round of notices ended early; the next one continues',
  },
  ALERTS_FAILED: {
    code: 'ALERT-04',
    level: 'error',
    message: 'Notices not sent, or sent and their queue messages not deleted; SQS redelivers these',
  },
  BILLING_CHECKED: { code: 'BILLING-01', level: 'info', message: 'Saved cards checked' },
  BILLING_FAILED: {
    code: 'BILLING-02',
    level: 'error',
    message: 'Saved cards not checked, or their event not published; the next run retries',
  },
  DELIVERY_DEGRADED: { code: 'WATCH-01', level: 'warn', message: 'Delivery is degraded' },
  DELIVERY_RECOVERED: { code: 'WATCH-02', level: 'info', message: 'Delivery is as usual again' },
  WATCH_FAILED: {
    code: 'WATCH-03',
    level: 'error',
    message: 'Delivery not judged, or an event not published; the next run retries',
  },
  WATCH_EVENT_REFUSED: {
    code: 'WATCH-04',
    level: 'error',
    message: 'EventBridge rejected an event for good; it is not retried',
  },
  SEND_DEGRADED: { code: 'WATCH-05', level: 'info', message: 'One send is worse than usual' },
  QUARTERS_SKIPPED: {
    code: 'WATCH-06',
    level: 'info',
    message: 'Quarter hours not judged: no later messages were counted in time',
  },
  LOOKUPS_DONE: { code: 'LOOKUP-01', level: 'info', message: 'Service asked for messages' },
  LOOKUPS_STOPPED: {
    code: 'LOOKUP-02',
    level: 'warn',
    message: 'Lookups ended early; the next run goes on where this one ended',
  },
  LOOKUP_FAILED: { code: 'LOOKUP-03', level: 'warn', message: 'The service did not answer a lookup' },
  LOOKUP_UNREADABLE: {
    code: 'LOOKUP-04',
    level: 'warn',
    message: 'Messages in an answer of the service could not be read by the contract',
  },
  LOOKUPS_SKIPPED: {
    code: 'LOOKUP-06',
    level: 'error',
    message:
      'Messages left out: the lookups were more than three days late, or got no answer about them for a day',
  },
  LOOKUP_REFUSED: {
    code: 'LOOKUP-05',
    level: 'warn',
    message: 'Answer not stored: the message has too many reports, or the database rejects it',
  },
  DRIFT_NOT_PUBLISHED: {
    code: 'SETUP-14',
    level: 'error',
    message: 'Event about a changed webhook not published; no later run publishes it',
  },
  SETUP_FAILED: { code: 'SETUP-05', level: 'error', message: 'Webhook setup failed' },
} as const;

/**
 * Every line the functions log: a stable code, a level and a message. The fields of a line are counts, ids of the pipeline, reasons and
 * names of errors; never a body, number, text, signature or secret.
 */
export const logCatalogue = /* @__PURE__ */ Object.assign({}, ingestLogs, functionLogs);

export type LogName = keyof typeof logCatalogue;

/** The fields of a line. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

/** Writes one line of the catalogue. `Name` limits it to some of the lines. */
export type Log<Name extends LogName = LogName> = (name: Name, fields?: LogFields) => void;

export type IngestLog = Log<keyof typeof ingestLogs>;
