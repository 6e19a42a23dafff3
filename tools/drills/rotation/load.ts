import { createPoster, type PostResult } from '../../../local/sms-service/poster.ts';
import type { DrillEvent, SendSummary } from '../../support/sandbox.ts';
import { controlMessageId, postStatus, startForger } from './forger.ts';
import { type Incident, type IncidentPorts, playIncidents, type RotationElsewhere } from './incidents.ts';
import { isUnavailable } from './pass-result.ts';

export interface Load {
  readonly genuinePerSecond: number;
  readonly forgedPerSecond: number;
  readonly incidents: readonly Incident[];
}

export interface LoadResult {
  readonly summary: SendSummary;
  readonly sendingSeconds: number;
  readonly forgedAnswers: ReadonlyMap<PostResult, number>;
  readonly control: { readonly answer: PostResult; readonly tries: number };
  readonly elsewhere: readonly RotationElsewhere[];
}

/**
 * Forged requests begin a little later. While the first instances start, requests pile up, and a row of forged ones in one instance
 * looks like a rotation.
 */
export const forgerStartMs = 2_000;

/** Sends genuine and forged events during the incidents. After a failure nothing goes on. */
export async function sendUnderIncidents(
  events: readonly DrillEvent[],
  { genuinePerSecond, forgedPerSecond, incidents }: Load,
  ports: Omit<IncidentPorts, 'signal'>,
): Promise<LoadResult> {
  const { pipeline, sandbox } = ports;
  const stopping = new AbortController();
  const { signal } = stopping;
  const startedAt = performance.now();
  const sending = sandbox.send(events, genuinePerSecond, signal).then((summary) => ({
    summary,
    sendingSeconds: (performance.now() - startedAt) / 1000,
  }));
  const playing = playIncidents(incidents, { ...ports, signal });
  const forger = startForger(pipeline.webhookUrl, forgedPerSecond, forgerStartMs);
  const poster = createPoster();
  try {
    const [sent, elsewhere] = await Promise.all([sending, playing]);
    const secret = await pipeline.webhookSecret();
    const control = await postUntilAnswered(() =>
      postStatus(poster, pipeline.webhookUrl, controlMessageId, secret),
    );
    return { ...sent, elsewhere, control, forgedAnswers: await forger.stop() };
  } finally {
    stopping.abort();
    await Promise.allSettled([sending, playing, forger.stop()]);
    poster.close();
  }
}

const maxAttempts = 20;

/** Posts again if the pipeline or the machine was too slow to answer. */
async function postUntilAnswered(post: () => Promise<PostResult>): Promise<LoadResult['control']> {
  for (let tries = 1; ; tries++) {
    const answer = await post();
    if (!isUnavailable(answer) || tries === maxAttempts) return { answer, tries };
  }
}
