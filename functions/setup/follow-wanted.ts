import type { SetupDependencies } from './dependencies.ts';

/**
 * To be called once the service was told our URL: a deactivation that came meanwhile wrote down first that it is wanted, so
 * either it comes after us, or it is seen here and done again.
 */
export async function followWanted({ state, service, log }: SetupDependencies): Promise<void> {
  if ((await state.read()).wanted !== 'deactivated') return;
  const set = await service.setWebhook({ url: '', rotate_secret: false });
  if (set.ok) log('WEBHOOK_DEACTIVATED');
  else log('SETUP_FAILED', { action: 'deactivate', kind: set.error.kind });
}
