import { randomUUID } from 'node:crypto';
import { signRequest } from '../../../contract/signature/sign.ts';
import type { Poster, PostResult } from '../../../local/sms-service/poster.ts';
import { shippedContract } from '../../support/contracts.ts';

export const forgedPrefix = 'forged-';
/** The message id of the one event that looks like a forged one and is signed with the real secret. */
export const controlMessageId = 'control-1';

/** Posts a status event past the sandbox, signed with this secret. */
export function postStatus(
  poster: Poster,
  webhookUrl: string,
  messageId: string,
  secret: string,
): Promise<PostResult> {
  const now = Date.now();
  const data = {
    id: messageId,
    to: '+12025550143',
    status: 'delivered',
    occurred_at: new Date(now).toISOString(),
  };
  const body = Buffer.from(JSON.stringify({ type: 'sms.status', data }));
  const unsigned = { body, id: randomUUID(), now, url: webhookUrl };
  const headers = signRequest(shippedContract.webhook.signature, unsigned, secret);
  return poster.post(webhookUrl, { ...headers, 'content-type': 'application/json' }, body);
}
