import { elsewhereIn } from './console-types.ts';
import type { Arrival, SignInConfig } from './sign-in.ts';

/**
 * Returns how users sign in; null where the page's server has a session of its own. The deployment puts the file beside the page.
 */
export async function readSignInConfig(): Promise<SignInConfig | null> {
  const response = await fetch('/config.json', { cache: 'no-store' });
  const isConfig = response.ok && response.headers.get('content-type')?.startsWith('application/json');
  return isConfig ? ((await response.json()) as SignInConfig) : null;
}

/** The configuration or the provider does not answer. */
export const unreachable = { kind: 'failed', reason: 'unreachable' } as const satisfies Arrival;

/** Ends a sign-in or a sign-out that led the browser here. The code for that is loaded only then. */
export async function arrive(): Promise<Arrival> {
  const { pathname, search } = window.location;
  // The server exchanges a token that is right, and leads to an address without it.
  if (pathname === '/' && new URLSearchParams(search).has('token')) {
    window.history.replaceState(null, '', '/');
    return { kind: 'used-address' };
  }
  if (pathname === '/signed-out') return { kind: 'signed-out', isElsewhereIn: search === `?${elsewhereIn}` };
  if (pathname !== '/signed-in') return { kind: 'open' };
  try {
    const [config, { finishSignIn }] = await Promise.all([readSignInConfig(), import('./sign-in.ts')]);
    return config === null ? { kind: 'open' } : await finishSignIn(config);
  } catch {
    return unreachable;
  }
}

/** Leads the browser to the provider, which leads it back to this path. */
export async function leaveToSignIn(config: SignInConfig, returnTo: string): Promise<void> {
  const { startSignIn } = await import('./sign-in.ts');
  await startSignIn(config, returnTo);
}

/** Ends the session of the provider too. */
export async function leaveToSignOut(): Promise<void> {
  const { signOut } = await import('./sign-in.ts');
  await signOut();
}
