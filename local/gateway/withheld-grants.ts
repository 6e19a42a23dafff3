import { z } from 'zod';
import { AwsError } from '../services/aws-error.ts';
import type { Access, FunctionGrant } from './access.ts';

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
