import { UserError } from '../user-error.ts';

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
