import { createRandom, shuffled } from '../../../local/sms-service/random.ts';
import { makeTraffic, type Traffic } from '../insights/traffic.ts';

/** A row of the file, and what it says. */
export interface MadeRow {
  readonly messageId: string;
  readonly send: string;
  readonly phone: string;
  readonly status: string;
  readonly code: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

export interface MadeFile {
  readonly traffic: Traffic;
  /** In order of time, then a tenth of them again, shuffled. */
  readonly rows: readonly MadeRow[];
}

const dayMs = 86_400_000;

/** Makes the rows of a day that has ended. @param count about so many, with the repeats */
export function makeRows(count: number, seed: number, now: number): MadeFile {
  const random = createRandom(seed);
  const made = makeTraffic(Math.round(count / 1.1), random, (Math.floor(now / dayMs) - 3) * dayMs);
  // Replies are not imported.
  const traffic: Traffic = { ...made, replies: [] };
  const once = traffic.messages
    .flatMap(({ id: messageId, send, phone, reports }) =>
      reports.map(({ status, code = '', time }): MadeRow => ({ messageId, send, phone, status, code, time })),
    )
    .sort((a, b) => a.time - b.time);
  const again = shuffled(
    once.filter(() => random() < 0.1),
    random,
  );
  return { traffic, rows: [...once, ...again] };
}

/** Writes rows as an export would: with a BOM, CRLF, and texts that have quotes, separators and line breaks. */
export function csvOf(rows: readonly MadeRow[]): string {
  const lines = rows.map(
    ({ messageId, send, phone, status, code, time }) =>
      `${messageId},${send},${phone},"Hello, ""you""\r\nSecond line",${status},${code},${new Date(time).toISOString()}`,
  );
  return `\ufeff${['Id,Send,To,Body,Status,Code,Time', ...lines].join('\r\n')}\r\n`;
}

/** The mapping of {@link csvOf}. */
export const drillMapping = {
  timeFormat: 'iso8601',
  report: {
    messageId: 'Id',
    sendId: 'Send',
    recipient: 'To',
    status: 'Status',
    occurredAt: 'Time',
    errorCode: 'Code',
  },
  statuses: {
    queued: 'queued',
    sent: 'sent',
    delivered: 'delivered',
    read: 'read',
    failed: 'failed',
    undelivered: 'undelivered',
    expired: 'expired',
  },
  errors: { 30004: 'blocked', 30006: 'landline' },
  samples: [
    {
      name: 'a delivered message',
      row: { Id: 'm', Status: 'delivered', Time: '2026-01-15T12:00:00Z' },
      becomes: { status: 'delivered' },
    },
  ],
};
