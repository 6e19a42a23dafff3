import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { signRequest } from '../../../contract/signature/sign.ts';
import { Ledger } from '../../engine/ledger.ts';
import { shippedContract } from '../../support/contracts.ts';

const content = shippedContract.webhook;

export interface PostOptions {
  /** The webhook's by default. */
  readonly secret?: string;
  readonly fromAddress?: string;
}

export interface WebhookCaller {
  /** Posts a body to the webhook, signed as the service does. @returns the answer's status */
  post(body: unknown, options?: PostOptions): Promise<number>;
}

/** A secret that only this caller has. */
export function foreignSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

/** @param currentSecret the webhook's */
export function createWebhookCaller(url: string, currentSecret: () => Promise<string>): WebhookCaller {
  return {
    async post(body, { secret, fromAddress } = {}) {
      const bytes = Buffer.from(JSON.stringify(body));
      const unsigned = { body: bytes, id: randomUUID(), now: Date.now(), url };
      const headers = signRequest(content.signature, unsigned, secret ?? (await currentSecret()));
      const sent = request(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'content-length': bytes.length },
        ...(fromAddress !== undefined && { localAddress: fromAddress }),
      });
      sent.end(bytes);
      const [answer]: IncomingMessage[] = await once(sent, 'response');
      answer?.resume();
      return answer?.statusCode ?? 0;
    },
  };
}

/** A status event as the shipped contract has it. */
export function statusEvent(id: string, status = 'delivered') {
  const data = { id, to: '+12025550143', status, occurred_at: new Date().toISOString() };
  return { type: 'sms.status', data };
}

const ledger = new Ledger();

/** A fictitious number that has not replied yet. @throws Error where there is none left */
export function anotherPhone(): string {
  return ledger.newNumber();
}

/** A reply as the shipped contract has it. */
export function replyEvent(from: string, text: string, id: string = randomUUID()) {
  const data = { id, from, to: '+12025550100', text, occurred_at: new Date().toISOString() };
  return { type: 'sms.reply', data };
}
