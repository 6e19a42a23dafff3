import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { SandboxEvent } from './scenario.ts';

const DEADLINE_MS = 60_000;

/** Asks until nothing is missing; what still is at the deadline comes back. */
export async function untilNothing(ask: () => Promise<string[]>): Promise<string[]> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const missing = await ask();
    if (missing.length === 0 || Date.now() > deadline) return missing;
    await delay(100);
  }
}

const summarySchema = z.looseObject({ sent: z.number(), accepted: z.number() });

export type SendResult =
  | { readonly ok: true; readonly sent: number }
  | { readonly ok: false; readonly problem: string };

/** Has the sandbox of the SMS service send signed events: out of order, each once to three times. */
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
    const problem = `the SMS service's sandbox answered ${response.status}: ${JSON.stringify(answer)}`;
    return { ok: false, problem };
  }
  const { sent, accepted } = summary.data;
  if (sent === accepted) return { ok: true, sent };
  return { ok: false, problem: `${sent - accepted} of ${sent} requests were not acknowledged` };
}
