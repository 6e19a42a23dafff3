import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { signRequest } from '../../functions/core/signature/sign.ts';
import { createPoster, type PostResult } from '../../local/sms-service/poster.ts';
import { shippedContract } from '../support/contracts.ts';

export const forgedPrefix = 'forged-';

/** Posts events that are signed with a secret of its own, until it is stopped. */
export interface Forger {
  /** How often each answer came. */
  stop(): Promise<ReadonlyMap<PostResult, number>>;
}

export function startForger(webhookUrl: string, ratePerSecond: number): Forger {
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const scheme = shippedContract.webhook.signature;
  const poster = createPoster();
  const answers = new Map<PostResult, number>();
  const stopping = new AbortController();
  const underWay: Promise<void>[] = [];

  async function postOne(number: number): Promise<void> {
    const data = { id: `${forgedPrefix}${number}`, to: '+12025550143', status: 'delivered' };
    const occurredAt = new Date().toISOString();
    const body = Buffer.from(
      JSON.stringify({ type: 'sms.status', data: { ...data, occurred_at: occurredAt } }),
    );
    const unsigned = { body, id: randomUUID(), now: Date.now(), url: webhookUrl };
    const headers = signRequest(scheme, unsigned, secret);
    const answer = await poster.post(webhookUrl, { ...headers, 'content-type': 'application/json' }, body);
    answers.set(answer, (answers.get(answer) ?? 0) + 1);
  }

  const running = (async () => {
    const startedAt = performance.now();
    for (let sent = 0; !stopping.signal.aborted; ) {
      const due = Math.floor(((performance.now() - startedAt) / 1000) * ratePerSecond);
      for (; sent < due; sent++) underWay.push(postOne(sent));
      await delay(20);
    }
  })();

  return {
    stop: async () => {
      stopping.abort();
      await running;
      await Promise.all(underWay);
      poster.close();
      return answers;
    },
  };
}
