import { z } from 'zod';
import { AwsError } from '../aws-protocol/aws-json.ts';
import { UserError } from '../terminal/terminal.ts';
import type { Access, FunctionGrant } from './access.ts';

/** The setting that takes a permission away: `-c local:withoutPermission=worker:dynamodb:PutItem`. */
export const WITHOUT_PERMISSION = 'local:withoutPermission';

/** A permission that a function is started without. */
export class WithoutPermission {
  readonly #text: string;
  readonly #function: string;
  readonly #action: string;
  readonly #resource: string | undefined;
  #found = false;

  /**
   * @param text `<function>:<action>`, or `<function>:<action>:<resource>` with the resource as permissions.json has it
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

  /** Whether this is to be taken away. */
  takes(functionLabel: string, action: string, resource: string): boolean {
    const takes =
      functionLabel === this.#function &&
      action === this.#action &&
      (this.#resource === undefined || resource === this.#resource);
    this.#found ||= takes;
    return takes;
  }

  /** @throws UserError when no function had it */
  requireFound(): void {
    if (!this.#found) throw new UserError(`${WITHOUT_PERMISSION}: nothing grants ${this.#text}`);
  }
}

const schema = z.strictObject({
  grants: z.array(
    z.strictObject({
      function: z.string().min(1),
      action: z.string().min(1),
      /** As permissions.json has it. */
      resource: z.string().min(1),
    }),
  ),
});

/** Grants that functions are deprived of while a run is up, as `local:withoutPermission` does it from the start. */
export class WithheldGrants {
  readonly #access: Access;

  constructor(access: Access) {
    this.#access = access;
  }

  /** What functions may do, what of it they did, and what they were denied: as permissions.json has it, as of now. */
  get state(): object {
    return this.#access.report();
  }

  /**
   * Withholds these grants, and gives back others.
   * @throws ZodError
   * @throws AwsError for a grant that nobody has
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
