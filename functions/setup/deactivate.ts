import { webhookState } from '../registration/registration.ts';
import { describeError } from '../sms-service/request.ts';
import {
  failed,
  type SetupDependencies,
  type SetupFailure,
  type SetupOutcome,
  serviceFailed,
} from './request.ts';
import { status } from './status.ts';

/**
 * To be called once the service was told our URL: a deactivation that came meanwhile wrote down first that it is wanted, so
 * either it comes after us, or it is seen here and done again.
 *
 * @returns why the service could not be told; a later run tries again
 */
export async function applyPendingDeactivation({
  state,
  service,
  log,
}: SetupDependencies): Promise<SetupFailure | undefined> {
  if ((await state.read()).wanted !== 'deactivated') return undefined;
  const set = await service.setWebhook({ url: '', rotate_secret: false });
  if (set.ok) {
    log('WEBHOOK_DEACTIVATED');
    return undefined;
  }
  log('SETUP_FAILED', { action: 'deactivate', kind: set.error.kind });
  return { kind: set.error.kind, message: describeError(set.error) };
}

/**
 * Makes the service stop sending events to us. A webhook that sends to somebody else's URL is left alone: the report's
 * state is then `elsewhere`. The stored secret stays, for requests that are still under way.
 */
export async function deactivate(dependencies: SetupDependencies): Promise<SetupOutcome> {
  const { service, store, state, webhookUrl, log } = dependencies;
  // Before the service is told: a run that is under way looks at it last.
  await state.setWanted('deactivated');
  const read = await service.readWebhook();
  if (!read.ok) return serviceFailed(read.error);
  let webhook = read.value;
  const registration = webhookState(webhook, webhookUrl, false);
  if (registration === 'registered') {
    const set = await service.setWebhook({ url: '', rotate_secret: false });
    if (!set.ok) return serviceFailed(set.error);
    if (set.value.url !== '')
      return failed(
        'unexpected-answer',
        'set webhook: the SMS service answered with a URL that is not empty',
      );
    webhook = set.value;
    log('WEBHOOK_DEACTIVATED');
  } else if (registration === 'elsewhere') log('WEBHOOK_NOT_OURS');
  return status(dependencies, { service: webhook, document: (await store.read())?.document });
}
