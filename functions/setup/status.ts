import { reportWebhook } from '../core/webhook/registration.ts';
import type { SetupDependencies } from './dependencies.ts';
import { type SetupOutcome, serviceFailed } from './outcome.ts';

/** Says where the service sends events and whether the stored secret is the service's; changes nothing. */
export async function status({
  service,
  store,
  webhookUrl,
  clock,
}: SetupDependencies): Promise<SetupOutcome> {
  const read = await service.readWebhook();
  if (!read.ok) return serviceFailed(read.error);
  return { ok: true, report: reportWebhook(read.value, await store.read(), webhookUrl, clock()) };
}
