import { POLLER_SUFFIX } from '../gateway/caller.ts';
import type { FunctionDefinition } from '../lambda/environment.ts';

/** Longer than the longest poll, 20 s: a call that hangs is given up in the end, and tried again. */
const TIMEOUT_MS = 25_000;

/** How the clients differ by which Lambda itself calls for a function. */
export interface PollerSettings {
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly requestHandler: { readonly requestTimeout: number; readonly throwOnRequestTimeout: true };
}

/** With an access key id of their own, by which the gateway tells these calls from the function's. */
export function pollerSettings({ accessKeyId }: FunctionDefinition): PollerSettings {
  return {
    credentials: { accessKeyId: `${accessKeyId}${POLLER_SUFFIX}`, secretAccessKey: 'local' },
    requestHandler: { requestTimeout: TIMEOUT_MS, throwOnRequestTimeout: true },
  };
}
