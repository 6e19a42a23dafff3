import type { TemplateFacts } from './template-facts.ts';

/** The bytes that CloudWatch Logs adds to each line (PutLogEvents, API Reference). */
const lineOverheadBytes = 26;

const requestId = '00000000-0000-0000-0000-000000000000';

/** Bytes and number of lines. */
export interface LogLines {
  readonly bytes: number;
  readonly lines: number;
}

/**
 * The lines that Lambda itself logs for a successful invocation in JSON: start and report, which have the level INFO (Lambda Developer
 * Guide, "Configuring advanced logging controls"). A local run writes none of them.
 */
export function platformLines({ systemLogLevel }: Pick<TemplateFacts, 'systemLogLevel'>): LogLines {
  if (systemLogLevel === 'WARN') return linesOf([]);
  const metrics = { durationMs: 12.345, billedDurationMs: 13, memorySizeMB: 512, maxMemoryUsedMB: 100 };
  const line = (type: string, record: object) =>
    JSON.stringify({ time: '2026-01-15T12:00:00.000Z', type, record: { requestId, ...record } });
  return linesOf([
    line('platform.start', {
      functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:n',
      version: '$LATEST',
    }),
    line('platform.report', { metrics, status: 'success' }),
  ]);
}

/** As long as they get for an accepted request; what is not listed is not there then. */
const accessLogValues: Readonly<Record<string, string>> = {
  requestId: 'AbCdEfGhIjKlMnOpQ=',
  requestTime: '15/Jan/2026:12:00:00 +0000',
  'identity.sourceIp': '203.0.113.123',
  routeKey: 'ANY /webhooks/sms',
  status: '200',
  responseLength: '45',
  responseLatency: '1234',
  integrationLatency: '1234',
  integrationStatus: '200',
};

/** A line of the access log of an accepted request; none where its format is empty. */
export function accessLogLine(format: string): LogLines {
  if (format === '') return linesOf([]);
  const line = format.replace(/\$context\.([A-Za-z.]+)/g, (_, name) => accessLogValues[name] ?? '-');
  return linesOf([line]);
}

/** The bytes of lines that the functions themselves write. */
interface OwnLines {
  readonly ingest: LogLines;
  /** The bytes of one invocation. */
  readonly worker: LogLines;
  readonly publisher: LogLines;
}

/**
 * Log bytes of an accepted event over all functions and the access log.
 *
 * @param batches events of an invocation of the worker, and of the publisher
 */
export function logBytesPerEvent(
  facts: Pick<TemplateFacts, 'accessLogFormat' | 'systemLogLevel'>,
  own: OwnLines,
  batches: { readonly worker: number; readonly publisher: number },
): number {
  const counted = ({ bytes, lines }: LogLines) => bytes + lines * lineOverheadBytes;
  const platform = counted(platformLines(facts));
  return (
    counted(accessLogLine(facts.accessLogFormat)) +
    (counted(own.ingest) + platform) +
    (counted(own.worker) + platform) / batches.worker +
    (counted(own.publisher) + platform) / batches.publisher
  );
}

function linesOf(lines: readonly string[]): LogLines {
  return { lines: lines.length, bytes: lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0) };
}
