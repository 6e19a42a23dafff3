import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import type { SandboxEvent } from './scenario.ts';

const DEADLINE_MS = 60_000;

/** Asks until nothing is missing. Returns what is still missing at the deadline. */
export async function untilNothing(
  ask: () => Promise<string[]>,
  deadlineMs = DEADLINE_MS,
): Promise<string[]> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    const missing = await ask();
    if (missing.length === 0 || Date.now() > deadline) return missing;
    await delay(100);
  }
}

const summarySchema = z.looseObject({ sent: z.number(), accepted: z.number() });

/** `value` is the number of requests that were sent. */
export type SendResult =
  | { readonly kind: 'ok'; readonly value: number }
  | { readonly kind: 'error'; readonly error: string };

/** Makes the sandbox of the SMS service send signed events, out of order, each one to three times. */
export async function sendEvents(
  smsServiceUrl: string,
  events: readonly SandboxEvent[],
): Promise<SendResult> {
  const options = { repeats: 2, shuffle: true, concurrency: 10, attempts: 5 };
  const response = await fetch(`${smsServiceUrl}/sandbox/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ events, options }),
  });
  const answer: unknown = await response.json();
  const summary = summarySchema.safeParse(answer);
  if (!response.ok || !summary.success) {
    const error = `the SMS service's sandbox answered ${response.status}: ${JSON.stringify(answer)}`;
    return { kind: 'error', error };
  }
  const { sent, accepted } = summary.data;
  if (sent === accepted) return { kind: 'ok', value: sent };
  return { kind: 'error', error: `${sent - accepted} of ${sent} requests were not acknowledged` };
}
