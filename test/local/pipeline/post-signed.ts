import { randomUUID } from 'node:crypto';
import { signRequest } from '../../../contract/signature/sign.ts';
import { shippedContract } from '../../../tools/support/contracts.ts';
import type { RunningPipeline } from '../../../tools/support/local-pipeline.ts';

/** A pipeline that has started when the tests run. */
export type Started<T = RunningPipeline> = () => T;

/** Posts a body to the webhook, signed as the service signs it. @returns the status of the answer */
export async function postSigned(
  { webhookUrl, webhookSecret }: Pick<RunningPipeline, 'webhookUrl' | 'webhookSecret'>,
  content: unknown,
  id: string = randomUUID(),
): Promise<number> {
  const body = Buffer.from(JSON.stringify(content));
  const unsigned = { body, id, now: Date.now(), url: webhookUrl };
  const headers = signRequest(shippedContract.webhook.signature, unsigned, await webhookSecret());
  const answer = await fetch(webhookUrl, {
    method: 'POST',
    body,
    headers: { ...headers, 'content-type': 'application/json' },
  });
  await answer.body?.cancel();
  return answer.status;
}
