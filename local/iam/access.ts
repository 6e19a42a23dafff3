import type { Permission } from '../aws-protocol/call.ts';
import { type Caller, POLLER_SUFFIX } from './caller.ts';
import { Decisions } from './decisions.ts';
import type { PermissionFile } from './permission-file.ts';

/** A permission of a function, as permissions.json has it. */
export interface FunctionGrant extends Pick<Permission, 'action' | 'resource'> {
  /** What the function is called for people. */
  readonly function: string;
}

interface Known {
  /** With all that its role grants. */
  granted: Caller;
  /** The same without what is withheld. */
  caller: Caller;
  /** What Lambda itself needs to run the function. */
  readonly neededByLambda: (readonly Permission[])[];
  /** By the permission, as text. */
  readonly used: Map<string, number>;
  readonly denied: Map<string, { readonly action: string; readonly resource: string; times: number }>;
}

/** Who calls, what each may do, and what each did. */
export class Access {
  readonly #known = new Map<string, Known>();
  readonly #decisions = new Decisions();
  #withheld: readonly FunctionGrant[] = [];
  readonly #onChange: () => void;
  readonly #onFirstDenial: (caller: Caller, denial: string) => void;

  /** @param onFirstDenial told of each permission once that a function lacks */
  constructor(onChange: () => void, onFirstDenial: (caller: Caller, denial: string) => void) {
    this.#onChange = onChange;
    this.#onFirstDenial = onFirstDenial;
  }

  /** Adds a caller, or gives one that is known another policy. */
  set(caller: Caller): void {
    const known = this.#known.get(caller.accessKeyId);
    const so = { granted: caller, caller: this.#withoutWithheld(caller) };
    if (known) Object.assign(known, so);
    else
      this.#known.set(caller.accessKeyId, {
        ...so,
        neededByLambda: [],
        used: new Map(),
        denied: new Map(),
      });
    this.#onChange();
  }

  /**
   * Takes grants from functions, and gives back those taken before. What Lambda itself needs to run the functions is asked for
   * again, as it would be all the time in AWS.
   */
  withhold(grants: readonly FunctionGrant[]): void {
    this.#withheld = grants;
    for (const known of this.#known.values()) known.caller = this.#withoutWithheld(known.granted);
    for (const [accessKeyId, { caller, granted, neededByLambda }] of this.#known)
      if (caller !== granted) this.denialOf(accessKeyId, neededByLambda.flat());
    this.#onChange();
  }

  #withoutWithheld(caller: Caller): Caller {
    const taken = this.#withheld.filter(({ function: label }) => label === caller.label);
    if (taken.length === 0) return caller;
    const policy = caller.policy.filter(
      (entry) =>
        !taken.some(
          ({ action, resource }) => entry.action === action && stableArn(entry.resource) === resource,
        ),
    );
    return { ...caller, policy };
  }

  /** The function that has this access key id; undefined: it is no function's. */
  find(accessKeyId: string | undefined): Caller | undefined {
    return accessKeyId === undefined ? undefined : this.#known.get(accessKeyId)?.caller;
  }

  /** The function for which Lambda itself calls with this access key id; undefined: none. */
  findPolled(accessKeyId: string | undefined): Caller | undefined {
    if (!accessKeyId?.endsWith(POLLER_SUFFIX)) return undefined;
    return this.find(accessKeyId.slice(0, -POLLER_SUFFIX.length));
  }

  /** As {@link denialOf}, of what Lambda itself needs to run the function. */
  denialForLambda(accessKeyId: string, permissions: readonly Permission[]): string | undefined {
    this.#known.get(accessKeyId)?.neededByLambda.push(permissions);
    return this.denialOf(accessKeyId, permissions);
  }

  /** Why a caller may not do what needs all of these permissions; undefined: it may. */
  denialOf(accessKeyId: string, permissions: readonly Permission[]): string | undefined {
    const known = this.#known.get(accessKeyId);
    if (!known) return `no function has the access key id ${accessKeyId}`;
    let first: string | undefined;
    for (const permission of permissions) {
      const { denial, grants } = this.#decisions.decide(known.caller, permission);
      for (const position of grants) {
        const key = entryKey(known.caller.policy[position]);
        known.used.set(key, (known.used.get(key) ?? 0) + 1);
      }
      if (denial !== undefined) this.#deny(known, permission, denial);
      first ??= denial;
    }
    this.#onChange();
    return first;
  }

  #deny({ caller, denied }: Known, { action, resource }: Permission, denial: string): void {
    const key = entryKey({ action, resource });
    const entry = denied.get(key);
    if (entry) entry.times += 1;
    else {
      denied.set(key, { action, resource: stableArn(resource), times: 1 });
      this.#onFirstDenial(caller, denial);
    }
  }

  /** Denies a call of which nobody knows what it needs; returns the reason. */
  denyUnknown(accessKeyId: string, action: string, reason: string): string {
    const known = this.#known.get(accessKeyId);
    if (known) this.#deny(known, { action, resource: '*' }, reason);
    this.#onChange();
    return reason;
  }

  /** What is granted is listed once, however many statements grant it. */
  report(): PermissionFile {
    return {
      functions: [...this.#known.values()].map(({ granted: caller, used, denied }) => ({
        name: caller.label,
        granted: distinctGrants(caller).map(({ action, resource }) => ({
          action,
          resource: stableArn(resource),
          used: used.get(entryKey({ action, resource })) ?? 0,
          ...(caller.unusedBecause[action] !== undefined && { unusedBecause: caller.unusedBecause[action] }),
        })),
        denied: [...denied.values()],
      })),
    };
  }
}

function distinctGrants({ policy }: Caller) {
  const granted = policy.filter(({ effect }) => effect === 'Allow');
  return [...new Map(granted.map((entry) => [entryKey(entry), entry])).values()];
}

function entryKey(entry: Pick<Permission, 'action' | 'resource'> | undefined): string {
  return entry ? `${entry.action} ${entry.resource}` : '';
}

/** A secret's ARN ends with characters that differ from run to run; and a stream's with the time it was made. */
export function stableArn(resource: string): string {
  return resource
    .replace(/(:secretsmanager:.*-)[0-9a-f]{6}$/, '$1??????')
    .replace(/(:dynamodb:.*\/stream\/).*$/, '$1*');
}
