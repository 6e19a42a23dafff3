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
