import type { Permission } from '../aws-protocol/call.ts';
import { type Caller, POLLER_SUFFIX } from './caller.ts';
import { Decisions } from './decisions.ts';
import type { PermissionFile } from './permission-file.ts';

/** A permission of a function in permissions.json. */
export interface FunctionGrant extends Pick<Permission, 'action' | 'resource'> {
  /** The function's label. */
  readonly function: string;
}

interface KnownCaller {
  /** The caller with all grants of its role. */
  granted: Caller;
  /** The caller without the withheld grants. */
  caller: Caller;
  /** The permissions that Lambda itself needs to run the function. */
  readonly neededByLambda: (readonly Permission[])[];
  /** The number of uses by {@link entryKey}. */
  readonly used: Map<string, number>;
  readonly denied: Map<string, { readonly action: string; readonly resource: string; times: number }>;
}

/** The callers, their permissions, and the permissions that they used. */
export class Access {
  readonly #known = new Map<string, KnownCaller>();
  readonly #decisions = new Decisions();
  #withheld: readonly FunctionGrant[] = [];
  readonly #onChange: (isNew: boolean) => void;
  readonly #onFirstDenial: (caller: Caller, denial: string) => void;

  /**
   * @param onChange called for each change of the report; `isNew` is false if only numbers grew
   * @param onFirstDenial called once for each permission that a function lacks
   */
  constructor(onChange: (isNew: boolean) => void, onFirstDenial: (caller: Caller, denial: string) => void) {
    this.#onChange = onChange;
    this.#onFirstDenial = onFirstDenial;
  }

  /** Adds a caller or replaces its policy. */
  set(caller: Caller): void {
    const callerState = this.#known.get(caller.accessKeyId);
    const entry = { granted: caller, caller: this.#withoutWithheld(caller) };
    if (callerState) Object.assign(callerState, entry);
    else
      this.#known.set(caller.accessKeyId, {
        ...entry,
        neededByLambda: [],
        used: new Map(),
        denied: new Map(),
      });
    this.#onChange(true);
  }

  /**
   * Withholds grants from functions and restores earlier ones. It checks the permissions that Lambda itself needs again, as AWS does continuously.
   */
  withhold(grants: readonly FunctionGrant[]): void {
    this.#withheld = grants;
    for (const callerState of this.#known.values())
      callerState.caller = this.#withoutWithheld(callerState.granted);
    for (const [accessKeyId, { caller, granted, neededByLambda }] of this.#known)
      if (caller !== granted) this.denialOf(accessKeyId, neededByLambda.flat());
    this.#onChange(true);
  }

  #withoutWithheld(caller: Caller): Caller {
    const withheld = this.#withheld.filter(({ function: label }) => label === caller.label);
    if (withheld.length === 0) return caller;
    const policy = caller.policy.filter(
      (entry) =>
        !withheld.some(
          ({ action, resource }) => entry.action === action && stableArn(entry.resource) === resource,
        ),
    );
    return { ...caller, policy };
  }

  /** The function with this access key id, if any. */
  find(accessKeyId: string | undefined): Caller | undefined {
    return accessKeyId === undefined ? undefined : this.#known.get(accessKeyId)?.caller;
  }

  /** The function for which Lambda itself calls with this access key id, if any. */
  findPolled(accessKeyId: string | undefined): Caller | undefined {
    if (!accessKeyId?.endsWith(POLLER_SUFFIX)) return undefined;
    return this.find(accessKeyId.slice(0, -POLLER_SUFFIX.length));
  }

  /** Like {@link denialOf}, for permissions that Lambda itself needs to run the function. */
  denialForLambda(accessKeyId: string, permissions: readonly Permission[]): string | undefined {
    this.#known.get(accessKeyId)?.neededByLambda.push(permissions);
    return this.denialOf(accessKeyId, permissions);
  }

  /** The reason why a caller lacks one of these permissions; undefined if it has all. */
  denialOf(accessKeyId: string, permissions: readonly Permission[]): string | undefined {
    const callerState = this.#known.get(accessKeyId);
    if (!callerState) return `no function has the access key id ${accessKeyId}`;
    let first: string | undefined;
    let isNew = false;
    for (const permission of permissions) {
      const { denial, grants } = this.#decisions.decide(callerState.caller, permission);
      for (const position of grants) {
        const key = entryKey(callerState.caller.policy[position]);
        const times = callerState.used.get(key) ?? 0;
        isNew ||= times === 0;
        callerState.used.set(key, times + 1);
      }
      if (denial !== undefined) this.#deny(callerState, permission, denial);
      first ??= denial;
    }
    this.#onChange(isNew || first !== undefined);
    return first;
  }

  #deny({ caller, denied }: KnownCaller, { action, resource }: Permission, denial: string): void {
    const key = entryKey({ action, resource });
    const entry = denied.get(key);
    if (entry) entry.times += 1;
    else {
      denied.set(key, { action, resource: stableArn(resource), times: 1 });
      this.#onFirstDenial(caller, denial);
    }
  }

  /** Denies a call whose permissions are not known. Returns the reason. */
  denyUnknown(accessKeyId: string, action: string, reason: string): string {
    const callerState = this.#known.get(accessKeyId);
    if (callerState) this.#deny(callerState, { action, resource: '*' }, reason);
    this.#onChange(true);
    return reason;
  }

  /** Each grant is listed once, even if several statements contain it. */
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

/** Removes the parts that differ from run to run: the random ending of a secret's ARN, and the creation time in a stream's ARN. */
function stableArn(resource: string): string {
  return resource
    .replace(/(:secretsmanager:.*-)[0-9a-f]{6}$/, '$1??????')
    .replace(/(:dynamodb:.*\/stream\/).*$/, '$1*');
}
