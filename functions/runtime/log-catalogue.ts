/**
 * Every line the functions log: a stable code, a level and a message.
 * Fields beside it are counts, ids of ours, reasons and names of errors; never a body, number, text, signature or secret.
 */
export const logCatalogue = {
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
  BATCH_STORED: { code: 'WORKER-01', level: 'debug', message: 'Batch stored' },
  EVENT_QUARANTINED: { code: 'WORKER-02', level: 'warn', message: 'Event quarantined' },
  STATUS_UNMAPPED: { code: 'WORKER-03', level: 'warn', message: 'Status word is not in the contract' },
  STORE_FAILED: {
    code: 'WORKER-04',
    level: 'error',
    message: 'Events could not be stored; their queue messages will be retried',
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
  SETUP_FAILED: { code: 'SETUP-05', level: 'error', message: 'Webhook setup failed' },
} as const;

export type LogName = keyof typeof logCatalogue;

/** Writes one line of the catalogue. */
export type Log = (
  name: LogName,
  fields?: Readonly<Record<string, string | number | boolean | null>>,
) => void;
