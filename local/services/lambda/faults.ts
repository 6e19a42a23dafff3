import { z } from 'zod';
import { AwsError } from '../../aws-protocol/aws-json.ts';
import { functionFaults, NO_FUNCTION_FAULTS } from '../../function-hosts/pool.ts';
import type { FunctionRegistry } from './functions.ts';

const schema = z.strictObject({ functions: z.record(z.string(), functionFaults) });

/** The faults of Lambda by the functions' labels. A function that is not named has none. */
export class LambdaFaults {
  readonly #functions: FunctionRegistry;

  constructor(functions: FunctionRegistry) {
    this.#functions = functions;
  }

  get state(): object {
    const faulty = this.#functions.all().filter(({ pool }) => pool.faults !== NO_FUNCTION_FAULTS);
    return {
      functions: Object.fromEntries(faulty.map(({ definition, pool }) => [definition.label, pool.faults])),
    };
  }

  /**
   * @throws ZodError
   * @throws AwsError for a label that no function has; nothing is changed then
   */
  replace(input: unknown): void {
    const { functions } = schema.parse(input);
    const requested = new Map(Object.entries(functions));
    const all = this.#functions.all();
    const labels = new Set(all.map(({ definition }) => definition.label));
    const unknown = [...requested.keys()].filter((label) => !labels.has(label));
    if (unknown.length > 0) {
      const message = `no function ${unknown.join(', ')}; there are ${[...labels].sort().join(', ')}`;
      throw new AwsError('ResourceNotFoundException', message, 404);
    }
    for (const { definition, pool } of all)
      pool.setFaults(requested.get(definition.label) ?? NO_FUNCTION_FAULTS);
  }
}
