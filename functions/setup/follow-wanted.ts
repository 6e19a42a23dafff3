import { describeError } from '../adapters/sms-service/errors.ts';
import type { SetupDependencies } from './dependencies.ts';
import type { SetupFailure } from './outcome.ts';

/**
 * To be called once the service was told our URL: a deactivation that came meanwhile wrote down first that it is wanted, so
 * either it comes after us, or it is seen here and done again.
 *
 * @returns why the service could not be told; a later run tries again
 */
export async function followWanted({
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
