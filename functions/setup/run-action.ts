import type { ApiKeyOutcome } from '../adapters/api-key-secret.ts';
import { WebhookSecretError } from '../adapters/webhook-secret.ts';
import { deactivate } from './deactivate.ts';
import type { SetupDependencies } from './dependencies.ts';
import { failed, type SetupOutcome } from './outcome.ts';
import { register } from './register.ts';
import { status } from './status.ts';

const actions = { status, register, deactivate };

export type SetupAction = keyof typeof actions;

export const actionNames = Object.keys(actions);

export function isAction(name: unknown): name is SetupAction {
  return typeof name === 'string' && Object.hasOwn(actions, name);
}

/** What an invocation starts with: the client of the service is made once the API key is known. */
export interface SetupPorts extends Omit<SetupDependencies, 'service'> {
  readonly readApiKey: () => Promise<ApiKeyOutcome>;
  /** @param deadline milliseconds since the epoch after which no call goes on */
  readonly connect: (apiKey: string, deadline: number) => SetupDependencies['service'];
  /** A signal that aborts after so many milliseconds. */
  readonly timeoutSignal: (ms: number) => AbortSignal;
}

/**
 * Runs an action. Never throws and always ends while there is time to tell somebody: a custom resource that does not
 * answer keeps CloudFormation waiting.
 *
 * @param remainingMs until the function is stopped
 */
export async function runAction(
  action: SetupAction,
  ports: SetupPorts,
  remainingMs: number,
): Promise<SetupOutcome> {
  const limit = ports.timeoutSignal(Math.floor((remainingMs * 7) / 8));
  const outOfTime = new Promise<SetupOutcome>((resolve) => {
    const message = `The ${action} action ran out of time: the SMS service or Secrets Manager was too slow. Run it again.`;
    limit.addEventListener('abort', () => resolve(failed('out-of-time', message)), { once: true });
  });
  const outcome = await Promise.race([perform(action, ports, Math.floor((remainingMs * 3) / 4)), outOfTime]);
  if (!outcome.ok) ports.log('SETUP_FAILED', { action, kind: outcome.error.kind });
  return outcome;
}

async function perform(action: SetupAction, ports: SetupPorts, serviceMs: number): Promise<SetupOutcome> {
  try {
    const deadline = ports.clock() + serviceMs;
    const key = await ports.readApiKey();
    if (!key.ok) return failed(key.kind, key.message);
    return await actions[action]({ ...ports, service: ports.connect(key.apiKey, deadline) });
  } catch (error) {
    if (error instanceof WebhookSecretError) return failed('secret-store', error.message);
    // Whatever it is, its message is not ours and may quote anything.
    return failed(
      'internal',
      `The ${action} action failed: ${error instanceof Error ? error.name : 'unknown error'}`,
    );
  }
}
