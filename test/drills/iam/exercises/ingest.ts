import { randomBytes, randomUUID } from 'node:crypto';
import { signRequest } from '../../../../functions/core/signature/sign.ts';
import { shippedContract } from '../../../support/contracts.ts';
import { demand, type Exercise } from '../exercise.ts';

/** A secret that the service never had. */
export const forgedSecret = () => `whsec_${randomBytes(24).toString('base64')}`;

/** Takes what is signed, and tells setup of what is not. */
export const exerciseIngest: Exercise = async ({ pipeline, eventually, restart }) => {
  const post = async (secret: string): Promise<number> => {
    const data = { id: randomUUID(), status: 'sent', occurred_at: new Date().toISOString() };
    const body = Buffer.from(JSON.stringify({ type: 'sms.status', data }));
    const unsigned = { body, id: randomUUID(), now: Date.now(), url: pipeline.webhookUrl };
    const headers = signRequest(shippedContract.webhook.signature, unsigned, secret);
    const response = await fetch(pipeline.webhookUrl, {
      method: 'POST',
      body,
      headers: { ...headers, 'content-type': 'application/json' },
    });
    await response.body?.cancel();
    return response.status;
  };
  const told = () => pipeline.functionLog('setup').split('SETUP-12').length;
  const toldBefore = told();
  await restart('ingest');
  demand('a signed event is taken', (await post(await pipeline.webhookSecret())) === 200);
  demand('a forged event is not', (await post(forgedSecret())) === 401);
  await eventually('setup is told of the forged event', () => told() > toldBefore);
};
