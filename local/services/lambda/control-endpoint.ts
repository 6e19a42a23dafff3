import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { AwsError } from '../../aws-protocol/aws-json.ts';
import { readBody, sendJson } from '../../aws-protocol/http.ts';
import { functionFaults, NO_FUNCTION_FAULTS } from '../../function-hosts/pool.ts';
import type { FunctionRegistry } from './functions.ts';

const MAX_BODY_BYTES = 64 * 1024;

/** Only 0 is supported, which stops a function. With another number AWS throttles events that wait here. */
const concurrency = z.strictObject({ ReservedConcurrentExecutions: z.literal(0) });

/** Answers the metrics that Lambda would report to CloudWatch, by the function's label. */
export function showMetrics(functions: FunctionRegistry, response: ServerResponse): void {
  const counts = functions.all().map(({ definition, pool }) => [definition.label, pool.metrics.counts]);
  sendJson(response, 200, { functions: Object.fromEntries(counts) });
}

/**
 * Handles Lambda's PutFunctionConcurrency and DeleteFunctionConcurrency. With a reserved concurrency of 0 each invocation of a function is
 * throttled.
 */
export async function handleConcurrency(
  functions: FunctionRegistry,
  nameOrArn: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const { pool } = functions.find(nameOrArn);
    if (request.method === 'DELETE') {
      pool.isThrottled = false;
      response.writeHead(204).end();
      return;
    }
    if (request.method !== 'PUT') throw unsupported('this method');
    pool.isThrottled = requireZero(await readBody(request, MAX_BODY_BYTES));
    sendJson(response, 200, { ReservedConcurrentExecutions: 0 });
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    const { type, message, status } = error;
    sendJson(response, status, { Type: 'User', Message: message }, { 'x-amzn-errortype': type });
  }
}

/** @throws AwsError for any other concurrency */
function requireZero(body: Buffer | undefined): true {
  try {
    concurrency.parse(JSON.parse(String(body)));
  } catch {
    throw unsupported('a ReservedConcurrentExecutions other than 0');
  }
  return true;
}

function unsupported(what: string): AwsError {
  return new AwsError('InvalidParameterValueException', `${what} is not supported on one machine.`);
}

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
