import { randomBytes, randomUUID } from 'node:crypto';
import type { RunningPipeline } from './local-pipeline.ts';
import { SignedPoster } from './signed-poster.ts';

/** A secret that the service does not have. */
export function foreignSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

export interface PostOptions {
  /** The webhook's by default. */
  readonly secret?: string;
}

/** Posts a body to the webhook, signed as the service signs it. @returns the status of the answer @throws Error without one */
export async function postSigned(
  { webhookUrl, webhookSecret }: Pick<RunningPipeline, 'webhookUrl' | 'webhookSecret'>,
  content: unknown,
  id: string = randomUUID(),
  { secret }: PostOptions = {},
): Promise<number> {
  const body = Buffer.from(JSON.stringify(content));
  const poster = new SignedPoster();
  try {
    const result = await poster.post(webhookUrl, { id, body }, secret ?? (await webhookSecret()));
    if (typeof result !== 'number') throw new Error(`the webhook did not answer: ${result}`);
    return result;
  } finally {
    poster.close();
  }
}
