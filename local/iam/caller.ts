import type { Permission } from '../aws-protocol/call.ts';
import type { FunctionDefinition } from '../function-hosts/environment.ts';
import type { PolicyEntry } from './policy.ts';

/** A function as the gateway knows it. */
export interface Caller {
  /** By which its calls are told from others. */
  readonly accessKeyId: string;
  /** What it is called for people. */
  readonly label: string;
  /** `arn:aws:sts::<account>:assumed-role/<role>/<function>`, as AWS names it in errors. */
  readonly principalArn: string;
  /** What the policies of its role say. */
  readonly policy: readonly PolicyEntry[];
  /** Why it is granted what no run on one machine uses, by action. */
  readonly unusedBecause: Readonly<Record<string, string>>;
}

/**
 * What Lambda itself calls for a function has the function's access key id with this behind it. Letters only: DynamoDB Local
 * takes no others.
 */
export const POLLER_SUFFIX = 'Poller';

/** The access key id that signed a request: `AWS4-HMAC-SHA256 Credential=<access key id>/<date>/...`. */
export function accessKeyIdOf(authorization: string | undefined): string | undefined {
  return /\bCredential=([^/,\s]+)\//.exec(authorization ?? '')?.[1];
}

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

/** Who lets functions' calls through, as the run sees it. */
export interface CallerAccess {
  /** Adds a function, or gives one that is known another policy; resolves when that is in force. */
  setCaller(caller: Caller): Promise<void>;
  /** Why a function may not do what needs all of these permissions; undefined: it may, and has made use of them. */
  denialOf(accessKeyId: string, permissions: readonly Permission[]): Promise<string | undefined>;
}
