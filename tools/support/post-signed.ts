import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { signRequest } from '../../contract/signature/sign.ts';
import { shippedContract } from './contracts.ts';
import type { RunningPipeline } from './local-pipeline.ts';

/** A secret that the service does not have. */
export function foreignSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

export interface PostOptions {
  /** The webhook's by default. */
  readonly secret?: string;
  readonly fromAddress?: string;
}

/** Posts a body to the webhook, signed as the service signs it. @returns the status of the answer */
export async function postSigned(
  { webhookUrl: url, webhookSecret }: Pick<RunningPipeline, 'webhookUrl' | 'webhookSecret'>,
  content: unknown,
  id: string = randomUUID(),
  { secret, fromAddress }: PostOptions = {},
): Promise<number> {
  const body = Buffer.from(JSON.stringify(content));
  const unsigned = { body, id, now: Date.now(), url };
  const { signature } = shippedContract.webhook;
  const headers = signRequest(signature, unsigned, secret ?? (await webhookSecret()));
  const sent = request(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'content-length': body.length },
    ...(fromAddress !== undefined && { localAddress: fromAddress }),
  });
  sent.end(body);
  const [answer]: IncomingMessage[] = await once(sent, 'response');
  answer?.resume();
  return answer?.statusCode ?? 0;
}
