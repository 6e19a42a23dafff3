import * as z from 'zod';
import { AwsError } from '../aws-protocol/aws-json.ts';
import type { Access, FunctionGrant } from './access.ts';

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

/** Grants that are withheld from functions during a run. */
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
