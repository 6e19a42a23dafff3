import pMap from 'p-map';
import { signRequest } from '../../../functions/core/signature/sign.ts';
import { shippedContract } from '../../support/contracts.ts';
import type { LocalPipeline } from '../../support/local-pipeline.ts';
import type { Report } from './reports.ts';

export interface SendOptions {
  readonly concurrency: number;
  /** Told after each acknowledgement how many there have been. */
  readonly onAcknowledged?: (count: number) => void;
  /** Told after each 503 how many there have been. */
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
  const post = async ({ messageId, eventId, status, second }: Report): Promise<void> => {
    const occurredAt = new Date(Date.UTC(2026, 0, 15, 12, 0, second)).toISOString();
    const data = { id: messageId, to: '+12025550143', status, occurred_at: occurredAt };
    const body = Buffer.from(JSON.stringify({ type: 'sms.status', data }));
    const unsigned = { body, id: eventId, now: Date.now(), url: webhookUrl };
    const headers = signRequest(shippedContract.webhook.signature, unsigned, secret);
    const answer = await fetch(webhookUrl, {
      method: 'POST',
      body,
      headers: { ...headers, 'content-type': 'application/json' },
    });
    await answer.body?.cancel();
    if (answer.status === 200) return;
    if (answer.status !== 503) throw new Error(`a report was answered with ${answer.status}`);
    refused += 1;
    onRefused(refused);
    return post({ messageId, eventId, status, second });
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
