import type { Stack } from '../cloudformation/cloud-assembly.ts';
import { deployStack, type Exports, type StackOutputs } from '../cloudformation/deploy-stack.ts';
import { CustomResourceError } from '../services/custom-resources/resources.ts';
import { resourceTypes } from '../services/resource-types.ts';
import type { Runtime } from '../services/runtime.ts';
import type { Progress } from '../terminal/terminal.ts';

export interface Deployment {
  /** The outputs by stack and name, as `cdk deploy --outputs-file` writes them. */
  readonly outputs: Readonly<Record<string, StackOutputs>>;
  /** The names of stacks of which a custom resource failed. */
  readonly failed: readonly string[];
}

/**
 * Makes the stacks one after the other. One whose custom resource fails is left out, with a note: it stands
 * apart for just that reason, so that the others run without it.
 */
export async function deployStacks(
  stacks: readonly Stack[],
  runtime: Runtime,
  apiKey: string,
  progress: Progress,
): Promise<Deployment> {
  const types = resourceTypes(runtime);
  const exports: Exports = new Map();
  const outputs: Record<string, StackOutputs> = {};
  const failed: string[] = [];
  // A deployment expects this secret to exist already.
  for (const Name of apiKeySecretNames(stacks)) runtime.secrets.create({ Name, SecretString: apiKey });
  for (const stack of stacks) {
    try {
      outputs[stack.name] = await deployStack(stack, types, exports);
      progress.step(`stack ${stack.name}`);
    } catch (error) {
      if (!(error instanceof CustomResourceError)) throw error;
      failed.push(stack.name);
      progress.note(`stack ${stack.name} failed: ${error.message}`);
    }
  }
  return { outputs, failed };
}

/** The names under which the functions expect the API key of the SMS service. */
function apiKeySecretNames(stacks: readonly Stack[]): Set<string> {
  const names = new Set<string>();
  for (const { template } of stacks) {
    for (const { Properties } of Object.values(template.Resources)) {
      const name = variablesOf(Properties.Environment).API_KEY_SECRET_ID;
      if (typeof name === 'string') names.add(name);
    }
  }
  return names;
}

function variablesOf(environment: unknown): Partial<Record<string, unknown>> {
  if (typeof environment !== 'object' || environment === null || !('Variables' in environment)) return {};
  return { ...(environment.Variables ?? {}) };
}
