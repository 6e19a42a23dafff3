import pMap from 'p-map';
import { signRequest } from '../../../contract/signature/sign.ts';
import { shippedContract } from '../../support/contracts.ts';
import type { LocalPipeline } from '../../support/local-pipeline.ts';
import type { Report } from './reports.ts';

/**
 * Returns the request with a report.
 *
 * @param now when it is signed, milliseconds since the epoch
 */
export function signedReport(
  { messageId, eventId, status, second }: Report,
  url: string,
  secret: string,
  now: number,
) {
  const occurredAt = new Date(Date.UTC(2026, 0, 15, 12, 0, second)).toISOString();
  const data = { id: messageId, to: '+12025550143', status, occurred_at: occurredAt };
  const body = Buffer.from(JSON.stringify({ type: 'sms.status', data }));
  const headers = signRequest(shippedContract.webhook.signature, { body, id: eventId, now, url }, secret);
  return { headers: { ...headers, 'content-type': 'application/json' }, body };
}

export interface SendOptions {
  readonly concurrency: number;
  /** Called after each acknowledgement with the total. */
  readonly onAcknowledged?: (count: number) => void;
  /** Called after each 503 with the total. */
  readonly onRefused?: (count: number) => void;
}

/**
 * Posts every report until it is acknowledged.
 * @returns the number of 503 answers
 * @throws Error at any other answer
 */
export async function sendReports(
  { webhookUrl, webhookSecret }: Pick<LocalPipeline, 'webhookUrl' | 'webhookSecret'>,
  arrivals: readonly Report[],
  { concurrency, onAcknowledged = () => {}, onRefused = () => {} }: SendOptions,
): Promise<number> {
  const secret = await webhookSecret();
  let acknowledged = 0;
  let refused = 0;
  const post = async (report: Report): Promise<void> => {
    const { headers, body } = signedReport(report, webhookUrl, secret, Date.now());
    const answer = await fetch(webhookUrl, { method: 'POST', body, headers });
    await answer.body?.cancel();
    if (answer.status === 200) return;
    if (answer.status !== 503) throw new Error(`a report was answered with ${answer.status}`);
    refused += 1;
    onRefused(refused);
    return post(report);
  };
  await pMap(
    arrivals,
    async (report) => {
      await post(report);
      acknowledged += 1;
      onAcknowledged(acknowledged);
    },
    { concurrency },
  );
  return refused;
}
