import type { WebhookStateTable } from '../registration/webhook-state-store.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log-catalogue.ts';
import { type CaptureCount, type CaptureReport, captureEnd } from '../webhook/secret-document.ts';
import { WebhookSecretError, type WebhookSecretStore } from '../webhook/webhook-secret-store.ts';
import type { CaptureRequest, SetupFailure } from './request.ts';

export interface CapturePorts {
  readonly store: WebhookSecretStore;
  readonly state: Pick<WebhookStateTable, 'addCaptured' | 'captured'>;
  /** Until when requests are captured, by the setting; ISO 8601 in UTC, or empty. */
  readonly captureSetting: string;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<unknown>;
  readonly log: Log;
}

/** What a capture's request is answered with. */
export type CaptureOutcome = CaptureReport | { readonly error: SetupFailure };

/** Each try leaves a version of the secret behind. */
const mostTries = 5;
const lostSwapPauseMs = 200;

/**
 * Switches capturing on or off, where that is asked for, and says how it stands. Needs neither the API key nor the service. Never
 * throws.
 */
export async function capture({ forMs }: CaptureRequest, ports: CapturePorts): Promise<CaptureOutcome> {
  try {
    const error = forMs === undefined ? undefined : await decide(forMs, ports);
    return error === undefined ? await tell(ports) : { error };
  } catch (error) {
    if (error instanceof WebhookSecretError)
      return { error: { kind: 'secret-store', message: error.message } };
    const name = error instanceof Error ? error.name : 'unknown error';
    return { error: { kind: 'internal', message: `The capture action failed: ${name}` } };
  }
}

/**
 * Adds up what was captured. No count ends a capture: a flood of forged requests could.
 *
 * @throws what the state's table and the secret store throw
 */
export async function countCaptured(count: CaptureCount, ports: CapturePorts): Promise<void> {
  const stored = await ports.store.read();
  const until = captureEnd(stored?.document.capture, ports.captureSetting);
  // What is told late counts for the capture it came from, and that is over.
  if (isAhead(until, ports)) await ports.state.addCaptured(count, until);
}

/** @returns why it could not be; undefined where it was */
async function decide(forMs: number, ports: CapturePorts): Promise<SetupFailure | undefined> {
  const { store, captureSetting: setting, clock, sleep, log } = ports;
  for (let tries = 0; tries < mostTries; tries++) {
    if (tries > 0) await sleep(tries * lostSwapPauseMs);
    const stored = await store.read();
    if (stored === undefined) return notRegistered;
    if (forMs === 0 && !isAhead(captureEnd(stored.document.capture, setting), ports)) return undefined;
    const until = new Date(clock() + forMs).toISOString();
    const document = { ...stored.document, capture: { until, setting } };
    if ((await store.replace(document, stored.versionId)) === undefined) continue;
    log('CAPTURE_DECIDED', { isOn: forMs > 0, until });
    return undefined;
  }
  return { kind: 'conflict', message: 'Other runs kept storing the webhook secret. Run it again.' };
}

async function tell(ports: CapturePorts): Promise<CaptureReport> {
  const { store, state, captureSetting: setting } = ports;
  const decision = (await store.read())?.document.capture;
  const until = captureEnd(decision, setting);
  const isOn = isAhead(until, ports);
  return {
    capture: isOn
      ? {
          until,
          decidedBy: decision?.setting === setting ? 'command' : 'setting',
          ...(await state.captured(until)),
        }
      : null,
    setting: setting === '' ? null : setting,
  };
}

function isAhead(until: string, { clock }: CapturePorts): boolean {
  return clock() < Date.parse(until);
}

const notRegistered: SetupFailure = {
  kind: 'not-registered',
  message:
    'No webhook secret is stored yet, so there is nowhere to write the decision down. Register the webhook first ("webhook register", or "webhook store-secret" where registration is off), or set sms:captureUntil to a time in UTC and deploy: that captures from the first request on; deploying without it ends that.',
};
