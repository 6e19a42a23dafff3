import { reportWebhook, type WebhookFacts } from '../registration/registration.ts';
import { describeError } from '../sms-service/request.ts';
import type { SetupDependencies, SetupOutcome } from './request.ts';

/** What the service says, or why it says nothing, and what is stored. */
type Seen = Pick<WebhookFacts, 'service' | 'document'>;

/**
 * Says where the service sends events, whether the stored secret is the service's, and what is known besides. Asks the
 * service and the store, unless a run has just seen them; says the rest where the service does not answer.
 */
export async function status(dependencies: SetupDependencies, seen?: Seen): Promise<SetupOutcome> {
  return reportOn(seen ?? (await look(dependencies)), dependencies);
}

/** The report on what was seen. */
export async function reportOn(
  seen: Seen,
  {
    state,
    webhookUrl,
    captureSetting,
    clock,
  }: Pick<SetupDependencies, 'state' | 'webhookUrl' | 'captureSetting' | 'clock'>,
): Promise<SetupOutcome> {
  const now = clock();
  const [known, mismatchesLastHour] = [await state.read(), await state.mismatchesLastHour(now)];
  return {
    ok: true,
    report: reportWebhook({ ...seen, webhookUrl, captureSetting, state: known, mismatchesLastHour }, now),
  };
}

async function look({ service, store }: SetupDependencies): Promise<Seen> {
  const read = await service.readWebhook();
  return {
    service: read.ok ? read.value : { failure: describeError(read.error) },
    document: (await store.read())?.document,
  };
}
