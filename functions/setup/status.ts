import { reportWebhook } from '../core/webhook/registration.ts';
import type { SecretDocument } from '../core/webhook/secret-document.ts';
import type { ServiceWebhook } from '../core/webhook/service-webhook.ts';
import type { SetupDependencies } from './dependencies.ts';
import { type SetupOutcome, serviceFailed } from './outcome.ts';

/**
 * Says where the service sends events, whether the stored secret is the service's, and what is known besides. Asks the
 * service and the store, unless a run has just seen them.
 */
export async function status(
  { service, store, state, webhookUrl, clock }: SetupDependencies,
  seen?: { readonly service: ServiceWebhook; readonly document: SecretDocument | undefined },
): Promise<SetupOutcome> {
  let facts = seen;
  if (facts === undefined) {
    const read = await service.readWebhook();
    if (!read.ok) return serviceFailed(read.error);
    facts = { service: read.value, document: (await store.read())?.document };
  }
  const now = clock();
  const [known, mismatchesLastHour] = [await state.read(), await state.mismatchesLastHour(now)];
  return { ok: true, report: reportWebhook({ ...facts, webhookUrl, state: known, mismatchesLastHour }, now) };
}
