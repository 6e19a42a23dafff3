import { type Permission, REGION } from '../aws-protocol/call.ts';
import type { FunctionDefinition } from '../function-hosts/environment.ts';
import type { PolicyEntry } from './policy.ts';

/** A function as the gateway knows it. */
export interface Caller {
  /** Identifies the caller's calls. */
  readonly accessKeyId: string;
  /** The function's label. */
  readonly label: string;
  /** `arn:aws:sts::<account>:assumed-role/<role>/<function>`, as AWS names it in errors. */
  readonly principalArn: string;
  /** The entries of the policies of its role. */
  readonly policy: readonly PolicyEntry[];
  /** By action, the reason for a grant that no run on one machine uses. */
  readonly unusedBecause: Readonly<Record<string, string>>;
}

/**
 * Lambda itself calls for a function with the function's access key id and this suffix. It has only letters, because DynamoDB Local accepts no
 * other characters.
 */
export const POLLER_SUFFIX = 'Poller';

/** The access key id that signed a request: `AWS4-HMAC-SHA256 Credential=<access key id>/<date>/...`. */
export function accessKeyIdOf(authorization: string | undefined): string | undefined {
  return /\bCredential=([^/,\s]+)\//.exec(authorization ?? '')?.[1];
}

/** Puts another access key id, and the region of this machine, into the header that signs a request. No service here checks the signature. */
export function withAccessKey(authorization: string | undefined, accessKeyId: string): string | undefined {
  return authorization?.replace(
    /\bCredential=[^/,\s]+\/(\d+)\/[^/,\s]+\//,
    `Credential=${accessKeyId}/$1/${REGION}/`,
  );
}

/** Longer than the longest poll, 20 s. A call that hangs times out and is retried. */
const TIMEOUT_MS = 25_000;

/** The settings of the clients with which Lambda itself calls for a function. */
export interface PollerSettings {
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  readonly requestHandler: { readonly requestTimeout: number; readonly throwOnRequestTimeout: true };
}

/** The gateway distinguishes these calls from the function's by their access key id. */
export function pollerSettings({ accessKeyId }: FunctionDefinition): PollerSettings {
  return {
    credentials: { accessKeyId: `${accessKeyId}${POLLER_SUFFIX}`, secretAccessKey: 'local' },
    requestHandler: { requestTimeout: TIMEOUT_MS, throwOnRequestTimeout: true },
  };
}

/** The gateway's control of functions' calls, as the run uses it. */
export interface CallerAccess {
  /** Adds a function or replaces its policy. Resolves when the policy applies. */
  setCaller(caller: Caller): Promise<void>;
  /** The reason why a function lacks one of these permissions; undefined if it has all. Counts their use. */
  denialOf(accessKeyId: string, permissions: readonly Permission[]): Promise<string | undefined>;
}
