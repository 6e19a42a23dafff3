import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { signRequest } from '../../../contract/signature/sign.ts';
import { shippedContract } from '../../support/contracts.ts';
import type { LocalPipeline } from '../../support/local-pipeline.ts';

/** How long a sender waits after an answer other than 200, in milliseconds. */
const pauseMs = 200;

/** How long it goes on trying. */
const patienceMs = 120_000;

/** A sender of events that tries each until it is acknowledged, as a good SMS service would. */
export interface WebhookSender {
  /**
   * @param content of the JSON body: `type` and `data`, or a list of such
   * @throws Error where it is not acknowledged in two minutes
   */
  send(content: object): Promise<void>;
  /** The same with a signature by some other secret. */
  forge(content: object): Promise<void>;
  /** Answers other than 200 so far, by status; 0: the connection was lost. */
  readonly refusals: ReadonlyMap<number, number>;
}

export function webhookSender({
  webhookUrl,
  webhookSecret,
}: Pick<LocalPipeline, 'webhookUrl' | 'webhookSecret'>): WebhookSender {
  const refusals = new Map<number, number>();

  async function deliver(content: object, secretOf: () => Promise<string>): Promise<void> {
    const body = Buffer.from(JSON.stringify(content));
    const id = randomUUID();
    for (const deadline = Date.now() + patienceMs; ; await delay(pauseMs)) {
      const unsigned = { body, id, now: Date.now(), url: webhookUrl };
      const headers = signRequest(shippedContract.webhook.signature, unsigned, await secretOf());
      const status = await post(body, headers);
      if (status === 200) return;
      refusals.set(status, (refusals.get(status) ?? 0) + 1);
      if (Date.now() > deadline)
        throw new Error(`not acknowledged in two minutes; the last answer: ${status}`);
    }
  }

  async function post(body: Buffer, headers: Readonly<Record<string, string>>): Promise<number> {
    try {
      const answer = await fetch(webhookUrl, {
        method: 'POST',
        body,
        headers: { ...headers, 'content-type': 'application/json' },
      });
      await answer.body?.cancel();
      return answer.status;
    } catch {
      return 0;
    }
  }

  const forgedSecret = async () => `whsec_${randomBytes(24).toString('base64')}`;
  return {
    send: (content) => deliver(content, webhookSecret),
    forge: (content) => deliver(content, forgedSecret),
    refusals,
  };
}
