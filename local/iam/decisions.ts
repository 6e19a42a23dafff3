import { runUnsafeSimulation } from '@cloud-copilot/iam-simulate';
import { ACCOUNT, type Permission } from '../aws-protocol/call.ts';
import type { Caller } from './caller.ts';
import type { PolicyEntry } from './policy.ts';

/** Whether a role allows something, and which of its grants do. */
export interface Decision {
  /** The reason of a denial; undefined if it is allowed. */
  readonly denial: string | undefined;
  /** Positions in the caller's policy. */
  readonly grants: readonly number[];
}

/** Decides which caller has which permission. It caches decisions, because the same calls are repeated. */
export class Decisions {
  readonly #decided = new WeakMap<Caller, Map<string, Decision>>();

  decide(caller: Caller, permission: Permission): Decision {
    const { action, resource, context } = permission;
    const cached = this.#decided.get(caller) ?? new Map<string, Decision>();
    this.#decided.set(caller, cached);
    const key = context ? JSON.stringify([action, resource, context]) : `${action} ${resource}`;
    const decision = cached.get(key) ?? evaluate(caller, permission);
    cached.set(key, decision);
    return decision;
  }
}

function evaluate(caller: Caller, permission: Permission): Decision {
  const { policy } = caller;
  const result = simulate(caller, policy, permission);
  if (result !== 'Allowed') return { denial: denialOf(caller, permission, result), grants: [] };
  const grants = [...policy.keys()].filter((position) => {
    const alone = policy.slice(position, position + 1);
    return simulate(caller, alone, permission) === 'Allowed';
  });
  return { denial: undefined, grants };
}

/** Skips the validation of the other entry point, which the permissions of calls are tested against. */
function simulate({ principalArn }: Caller, policy: readonly PolicyEntry[], permission: Permission): string {
  return runUnsafeSimulation(
    {
      request: {
        principal: principalArn,
        action: permission.action,
        resource: { resource: permission.resource, accountId: ACCOUNT },
        contextVariables: { ...permission.context },
      },
      identityPolicies: [
        { name: 'role', policy: { Version: '2012-10-17', Statement: policy.map(statementOf) } },
      ],
      serviceControlPolicies: [],
      resourceControlPolicies: [],
    },
    {},
  );
}

function statementOf({ effect, action, resource, condition }: PolicyEntry): object {
  return { Effect: effect, Action: action, Resource: resource, ...(condition && { Condition: condition }) };
}

/** The wording of AWS ("Troubleshoot access denied error messages", IAM User Guide). */
function denialOf({ principalArn }: Caller, { action, resource }: Permission, result: string): string {
  const reason =
    result === 'ExplicitlyDenied'
      ? 'with an explicit deny in an identity-based policy'
      : `because no identity-based policy allows the ${action} action`;
  return `User: ${principalArn} is not authorized to perform: ${action} on resource: ${resource} ${reason}`;
}
