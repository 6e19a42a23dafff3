/** The lines of the log catalogue that ingest writes: apart from the others, whose texts would take time of its cold start. */
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
