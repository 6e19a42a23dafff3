import { type CaptureReport, captureEnd } from '../webhook/secret-document.ts';
import { type CaptureRequest, type SetupFailure, thrownFailure, type UnconnectedPorts } from './request.ts';

type CapturePorts = Pick<UnconnectedPorts, 'store' | 'state' | 'captureSetting' | 'clock' | 'sleep' | 'log'>;

/** Each attempt leaves a version of the secret. */
const maxAttempts = 5;
const lostSwapPauseMs = 200;

/** Starts or ends a capture if asked to, and reports it. Needs neither the API key nor the service. Never throws. */
export async function capture(
  { forMs }: CaptureRequest,
  ports: CapturePorts,
): Promise<CaptureReport | { readonly error: SetupFailure }> {
  try {
    const error = forMs === undefined ? undefined : await decide(forMs, ports);
    return error === undefined ? await report(ports) : { error };
  } catch (error) {
    return { error: thrownFailure('capture', error) };
  }
}

/** Stores the decision in the secret document. @returns why it could not be stored */
async function decide(forMs: number, ports: CapturePorts): Promise<SetupFailure | undefined> {
  const { store, captureSetting: setting, clock, sleep, log } = ports;
  for (let attempts = 0; attempts < maxAttempts; attempts++) {
    if (attempts > 0) await sleep(attempts * lostSwapPauseMs);
    const stored = await store.read();
    if (stored === undefined) return notRegistered;
    const isOn = clock() < Date.parse(captureEnd(stored.document.capture, setting));
    if (forMs === 0 && !isOn) return undefined;
    const until = new Date(clock() + forMs).toISOString();
    const document = { ...stored.document, capture: { until, setting } };
    if ((await store.replace(document, stored.versionId)) === undefined) continue;
    log('CAPTURE_DECIDED', { isOn: forMs > 0, until });
    return undefined;
  }
  return { kind: 'conflict', message: 'Other runs kept storing the webhook secret. Run it again.' };
}

async function report({ store, state, captureSetting, clock }: CapturePorts): Promise<CaptureReport> {
  const decision = (await store.read())?.document.capture;
  const setting = captureSetting === '' ? null : captureSetting;
  const until = captureEnd(decision, captureSetting);
  if (!(clock() < Date.parse(until))) return { capture: null, setting };
  const decidedBy = decision?.setting === captureSetting ? 'command' : 'setting';
  return { capture: { until, decidedBy, ...(await state.captured(until)) }, setting };
}

const notRegistered: SetupFailure = {
  kind: 'not-registered',
  message:
    'No webhook secret is stored yet, so the decision cannot be stored with it. Register the webhook first ("webhook register", or "webhook store-secret" if registration is off). Or set sms:captureUntil to a time in UTC and deploy: that captures from the first request on, and deploying without it ends the capture.',
};
