import type { Stack } from '../cloudformation/cloud-assembly.ts';
import {
  type CreateResource,
  deployStack,
  type Exports,
  type ResourceTypes,
  type StackOutputs,
} from '../cloudformation/deploy-stack.ts';
import { CustomResourceError } from '../services/custom-resources/resources.ts';
import type { RunningService } from '../services/definition/define-service.ts';
import type { SecretsManager } from '../services/secrets-manager/api.ts';
import type { Progress } from '../terminal/terminal.ts';

export interface Deployment {
  /** The outputs by stack and name, as `cdk deploy --outputs-file` writes them. */
  readonly outputs: Readonly<Record<string, StackOutputs>>;
  /** The names of the stacks whose custom resource failed. */
  readonly failed: readonly string[];
}

/** The services that stacks are deployed to. */
interface DeployTarget {
  readonly running: readonly RunningService[];
  readonly secrets: SecretsManager;
}

/** Deploys the stacks one after the other. Skips a stack whose custom resource fails, with a note: the other stacks run without it. */
export async function deployStacks(
  stacks: readonly Stack[],
  { running, secrets }: DeployTarget,
  apiKey: string,
  progress: Progress,
): Promise<Deployment> {
  const types = resourceTypes(running, (line) => progress.note(line));
  const exports: Exports = new Map();
  const outputs: Record<string, StackOutputs> = {};
  const failed: string[] = [];
  // A deployment expects this secret to exist already.
  for (const Name of apiKeySecretNames(stacks)) secrets.create({ Name, SecretString: apiKey });
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

/** Resource types that have no effect on one machine and belong to no service here. They are left out without a line. */
const INERT_TYPES = ['AWS::CDK::Metadata', 'AWS::CloudFormation::WaitConditionHandle'];

function resourceTypes(running: readonly RunningService[], note: (line: string) => void): ResourceTypes {
  const creators = new Map(
    running.flatMap(({ resources = {} }) => Object.entries<CreateResource>(resources)),
  );
  const inert = new Set([...INERT_TYPES, ...running.flatMap(({ inertTypes = [] }) => inertTypes)]);
  return {
    creator: (type) =>
      creators.get(type) ??
      (type.startsWith('Custom::') && !customResourcesOfCdk.has(type)
        ? creators.get('AWS::CloudFormation::CustomResource')
        : undefined),
    isInert: (type) => inert.has(type),
    note,
  };
}

/** Custom resources of the CDK that act on services which one machine does not have. */
const customResourcesOfCdk: ReadonlySet<string> = new Set(['Custom::AWS', 'Custom::LogRetention']);

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

/** Returns the variables of a function's environment in a template. */
export function variablesOf(environment: unknown): Partial<Record<string, unknown>> {
  if (typeof environment !== 'object' || environment === null || !('Variables' in environment)) return {};
  return { ...(environment.Variables ?? {}) };
}
