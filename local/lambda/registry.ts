import { AwsError } from '../services/aws-error.ts';
import type { FunctionDefinition } from './environment.ts';
import type { HostPool } from './pool.ts';

/** A function that runs on this machine. */
export interface LocalFunction {
  readonly definition: FunctionDefinition;
  readonly arn: string;
  readonly pool: HostPool;
}

/** The functions on this machine, by name and by ARN. */
export class FunctionRegistry {
  readonly #functions = new Map<string, LocalFunction>();

  add(added: LocalFunction): void {
    this.#functions.set(added.definition.name, added);
    this.#functions.set(added.arn, added);
  }

  all(): LocalFunction[] {
    return [...new Set(this.#functions.values())];
  }

  /** @throws AwsError as Lambda does when there is no such function */
  find(nameOrArn: string): LocalFunction {
    const found = this.#functions.get(nameOrArn);
    if (!found) throw new AwsError('ResourceNotFoundException', `Function not found: ${nameOrArn}`, 404);
    return found;
  }
}
