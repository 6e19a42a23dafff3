import type { Permission } from './call.ts';
import type { Caller } from './caller.ts';
import { Decisions } from './decisions.ts';
import type { PermissionFile } from './permission-file.ts';

interface Known {
  caller: Caller;
  /** By the permission, as text. */
  readonly used: Map<string, number>;
  readonly denied: Map<string, { readonly action: string; readonly resource: string; times: number }>;
}

/** Who calls, what each may do, and what each did. */
export class Access {
  readonly #known = new Map<string, Known>();
  readonly #decisions = new Decisions();
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
    if (known) known.caller = caller;
    else this.#known.set(caller.accessKeyId, { caller, used: new Map(), denied: new Map() });
    this.#onChange();
  }

  /** The function that has this access key id; undefined: it is no function's. */
  find(accessKeyId: string | undefined): Caller | undefined {
    return accessKeyId === undefined ? undefined : this.#known.get(accessKeyId)?.caller;
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
      denied.set(key, { action, resource: nameless(resource), times: 1 });
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
      functions: [...this.#known.values()].map(({ caller, used, denied }) => ({
        name: caller.label,
        granted: distinctGrants(caller).map(({ action, resource }) => ({
          action,
          resource: nameless(resource),
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
export function nameless(resource: string): string {
  return resource
    .replace(/(:secretsmanager:.*-)[0-9a-f]{6}$/, '$1??????')
    .replace(/(:dynamodb:.*\/stream\/).*$/, '$1*');
}
