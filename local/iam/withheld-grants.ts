import * as z from 'zod';
import { AwsError } from '../aws-protocol/aws-json.ts';
import { UserError } from '../terminal/terminal.ts';
import type { Access, FunctionGrant } from './access.ts';

/** The setting that removes a permission: `-c local:withoutPermission=worker:dynamodb:PutItem`. */
export const WITHOUT_PERMISSION = 'local:withoutPermission';

/** A permission that a function is started without. */
export class WithoutPermission {
  readonly #text: string;
  readonly #function: string;
  readonly #action: string;
  readonly #resource: string | undefined;
  #found = false;

  /**
   * @param text `<function>:<action>`, or `<function>:<action>:<resource>` with the resource of permissions.json
   * @throws UserError
   */
  constructor(text: string) {
    const [, functionName, action, resource] = /^([\w-]+):(\w+:\w+)(?::(.+))?$/.exec(text) ?? [];
    if (functionName === undefined || action === undefined) {
      throw new UserError(
        `${WITHOUT_PERMISSION} expects <function>:<action>, for example worker:dynamodb:PutItem`,
      );
    }
    this.#text = text;
    this.#function = functionName;
    this.#action = action;
    this.#resource = resource;
  }

  /** Returns whether a grant is to be removed. */
  matches(functionLabel: string, action: string, resource: string): boolean {
    const isMatch =
      functionLabel === this.#function &&
      action === this.#action &&
      (this.#resource === undefined || resource === this.#resource);
    this.#found ||= isMatch;
    return isMatch;
  }

  /** @throws UserError if no function has the permission */
  requireFound(): void {
    if (!this.#found) throw new UserError(`${WITHOUT_PERMISSION}: nothing grants ${this.#text}`);
  }
}

const schema = z.strictObject({
  grants: z.array(
    z.strictObject({
      function: z.string().min(1),
      action: z.string().min(1),
      /** The resource of permissions.json. */
      resource: z.string().min(1),
    }),
  ),
});

/** Grants that are withheld from functions during a run, as `local:withoutPermission` does from the start. */
export class WithheldGrants {
  readonly #access: Access;

  constructor(access: Access) {
    this.#access = access;
  }

  /** The current content of permissions.json. */
  get state(): object {
    return this.#access.report();
  }

  /**
   * Withholds these grants, and restores others.
   * @throws ZodError
   * @throws AwsError for a grant that no function has
   */
  replace(input: unknown): void {
    const { grants } = schema.parse(input);
    for (const grant of grants) this.#require(grant);
    this.#access.withhold(grants);
  }

  #require({ function: label, action, resource }: FunctionGrant): void {
    const { functions } = this.#access.report();
    const isGranted = functions.some(
      ({ name, granted }) =>
        name === label && granted.some((grant) => grant.action === action && grant.resource === resource),
    );
    if (isGranted) return;
    throw new AwsError('ResourceNotFoundException', `${label} is not granted ${action} on ${resource}`, 404);
  }
}
