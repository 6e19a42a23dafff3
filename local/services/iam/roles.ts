import { ACCOUNT, type Permission } from '../../aws-protocol/call.ts';
import { NotOnOneMachine, TemplateError } from '../../cloudformation/template.ts';
import type { FunctionDefinition } from '../../function-hosts/environment.ts';
import { type CallerAccess, POLLER_SUFFIX } from '../../iam/caller.ts';
import type { PolicyEntry } from '../../iam/policy.ts';

interface Role {
  readonly policy: PolicyEntry[];
  readonly unusedBecause: Readonly<Record<string, string>>;
  readonly functions: FunctionDefinition[];
}

/** The roles of the templates, and the functions that run under them. */
export class RoleRegistry {
  /** The app's own managed policies, by ARN. */
  readonly managedPolicies = new Map<string, readonly PolicyEntry[]>();
  readonly #roles = new Map<string, Role>();
  readonly #accessKeyIds = new Set<string>();
  readonly #access: CallerAccess;

  constructor(access: CallerAccess) {
    this.#access = access;
  }

  /** Adds a role and returns its ARN. */
  add(name: string, policy: readonly PolicyEntry[], unusedBecause: Readonly<Record<string, string>>): string {
    this.#roles.set(name, { policy: [...policy], unusedBecause, functions: [] });
    return `arn:aws:iam::${ACCOUNT}:role/${name}`;
  }

  /** @throws NotOnOneMachine if the role is not among those of the templates */
  async attach(roleName: string, policy: readonly PolicyEntry[]): Promise<void> {
    const role = this.#find(roleName);
    role.policy.push(...policy);
    for (const definition of role.functions) await this.#setCaller(definition, roleName, role);
  }

  /**
   * Runs a function under a role.
   * @throws NotOnOneMachine if the role is not among those of the templates
   * @throws TemplateError if another function has the same access key id
   */
  async run(definition: FunctionDefinition, roleArn: string): Promise<void> {
    const { accessKeyId } = definition;
    if (this.#accessKeyIds.has(accessKeyId)) {
      throw new TemplateError(`two functions have the access key id ${accessKeyId}`);
    }
    this.#accessKeyIds.add(accessKeyId).add(`${accessKeyId}${POLLER_SUFFIX}`);
    const roleName = roleArn.split('/').at(-1) ?? '';
    const role = this.#find(roleName);
    role.functions.push(definition);
    await this.#setCaller(definition, roleName, role);
  }

  /** Returns the reason why Lambda itself may not do its part under a function's role; undefined if it may. */
  async denialOf(
    { accessKeyId }: FunctionDefinition,
    permissions: readonly Permission[],
  ): Promise<string | undefined> {
    return this.#access.denialOf(accessKeyId, permissions);
  }

  /**
   * Checks what Lambda itself calls under a function's role.
   * @throws TemplateError if the role does not allow it
   */
  async require(definition: FunctionDefinition, permissions: readonly Permission[]): Promise<void> {
    const denial = await this.denialOf(definition, permissions);
    if (denial !== undefined) {
      throw new TemplateError(`Lambda could not do its part under the function's role: ${denial}`);
    }
  }

  async #setCaller(
    { accessKeyId, label, name }: FunctionDefinition,
    roleName: string,
    { policy, unusedBecause }: Role,
  ): Promise<void> {
    await this.#access.setCaller({
      accessKeyId,
      label,
      principalArn: `arn:aws:sts::${ACCOUNT}:assumed-role/${roleName}/${name}`,
      policy,
      unusedBecause,
    });
  }

  #find(name: string): Role {
    const role = this.#roles.get(name);
    if (!role)
      throw new NotOnOneMachine(
        `the app has no role ${name}, and one machine knows only the roles of the app`,
      );
    return role;
  }
}
