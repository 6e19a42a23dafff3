import { describeError } from '../adapters/sms-service/errors.ts';
import { reportWebhook, type WebhookFacts } from '../core/webhook/registration.ts';
import type { SetupDependencies } from './dependencies.ts';
import type { SetupOutcome } from './outcome.ts';

/**
 * Says where the service sends events, whether the stored secret is the service's, and what is known besides. Asks the
 * service and the store, unless a run has just seen them; says the rest where the service does not answer.
 */
export async function status(
  { service, store, state, webhookUrl, clock }: SetupDependencies,
  seen?: Pick<WebhookFacts, 'service' | 'document'>,
): Promise<SetupOutcome> {
  let facts = seen;
  if (facts === undefined) {
    const read = await service.readWebhook();
    const said = read.ok ? read.value : { failure: describeError(read.error) };
    facts = { service: said, document: (await store.read())?.document };
  }
  const now = clock();
  const [known, mismatchesLastHour] = [await state.read(), await state.mismatchesLastHour(now)];
  return { ok: true, report: reportWebhook({ ...facts, webhookUrl, state: known, mismatchesLastHour }, now) };
}
