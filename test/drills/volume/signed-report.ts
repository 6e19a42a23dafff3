import { signRequest } from '../../../functions/core/signature/sign.ts';
import { shippedContract } from '../../support/contracts.ts';
import type { Report } from './reports.ts';

/**
 * The request that tells of a report.
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
