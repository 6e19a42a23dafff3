import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CloudFormationClient, StackResourceSummary } from '@aws-sdk/client-cloudformation';
import * as z from 'zod';
import { omitUndefined } from '../../../functions/base/basics.ts';
import { CommandFailure } from '../../target/errors.ts';
import { describeStack } from '../../target/stack/outputs.ts';

/** The parts of a CloudFormation template that the comparison reads. */
const templateSchema = z.looseObject({
  Resources: z.record(
    z.string(),
    z.looseObject({
      Type: z.string(),
      Properties: z.record(z.string(), z.unknown()).default({}),
      DeletionPolicy: z.string().optional(),
      Metadata: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
  Outputs: z.record(z.string(), z.looseObject({ Value: z.unknown() })).default({}),
});

export type Template = z.output<typeof templateSchema>;

/** Returns whether a resource outlives its stack. RetainExceptOnCreate differs in a first deployment that fails. */
export function isRetained(resource: Readonly<Record<string, unknown>> | undefined): boolean {
  return String(resource?.DeletionPolicy).startsWith('Retain');
}

/** Reads a template from JSON, as the CDK writes it; undefined for another format. */
function parseTemplate(text: string): Template | undefined {
  try {
    return templateSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** A stack that is about to be deployed. */
export interface PlannedStack {
  readonly name: string;
  readonly template: Template;
  /** What its `env` names. */
  readonly environment?: { readonly account?: string; readonly region?: string };
  /** The stacks within it, by the logical ids of their resources. */
  readonly nested?: Readonly<Record<string, PlannedStack>>;
}

/** The stacks within a stack, and those within them. */
export function nestedIn({ nested = {} }: PlannedStack): PlannedStack[] {
  return Object.values(nested).flatMap((stack) => [stack, ...nestedIn(stack)]);
}

const manifestSchema = z.looseObject({
  artifacts: z.record(
    z.string(),
    z.looseObject({
      type: z.string(),
      environment: z.string().default(''),
      properties: z
        .looseObject({ templateFile: z.string().optional(), stackName: z.string().optional() })
        .default({}),
    }),
  ),
});

/**
 * Reads the stacks that `cdk synth` wrote to a directory.
 * @throws CommandFailure for a file in another format
 */
export async function readPlannedStacks(directory: string): Promise<PlannedStack[]> {
  const manifest = join(directory, 'manifest.json');
  const parsed = manifestSchema.safeParse(JSON.parse(await readFile(manifest, 'utf8')));
  if (!parsed.success)
    throw new CommandFailure(`${manifest} is not a manifest of the CDK. Delete the directory and try again.`);
  const stacks = Object.entries(parsed.data.artifacts).filter(
    ([, { type }]) => type === 'aws:cloudformation:stack',
  );
  return await Promise.all(
    stacks.map(async ([id, { properties, environment }]) => ({
      ...(await readPlannedStack(
        directory,
        properties.templateFile ?? `${id}.template.json`,
        properties.stackName ?? id,
      )),
      environment: readEnvironment(environment),
    })),
  );
}

async function readPlannedStack(directory: string, file: string, name: string): Promise<PlannedStack> {
  const path = join(directory, file);
  const template = parseTemplate(await readFile(path, 'utf8'));
  if (template === undefined)
    throw new CommandFailure(`${path} is not a template. Delete the directory and try again.`);
  const nested = await Promise.all(
    Object.entries(template.Resources)
      .filter(([, { Type }]) => Type === 'AWS::CloudFormation::Stack')
      .map(async ([id, { Metadata }]) => {
        const inner = Metadata?.['aws:asset:path'];
        if (typeof inner !== 'string')
          throw new CommandFailure(
            `Nothing was deployed: the CDK did not write where the template of ${name}/${id} is (assetMetadata in cdk.json is false, or it is not a NestedStack of the CDK), so it cannot be compared. npx cdk deploy --all deploys without a comparison.`,
          );
        return [id, await readPlannedStack(directory, inner, `${name}/${id}`)] as const;
      }),
  );
  return { name, template, nested: Object.fromEntries(nested) };
}

/** Reads `aws://account/region`, in which the CDK writes unknown-account and unknown-region for what no `env` names. */
function readEnvironment(text: string): NonNullable<PlannedStack['environment']> {
  const [, account, region] = /^aws:\/\/([^/]+)\/([^/]+)$/.exec(text) ?? [];
  return omitUndefined({
    account: account === 'unknown-account' ? undefined : account,
    region: region === 'unknown-region' ? undefined : region,
  });
}

/** A deployed resource. */
interface DeployedResource {
  readonly logicalId: string;
  readonly type: string;
  /** The URL of a queue, the ARN of a topic, a name otherwise. */
  readonly physicalId: string;
}

/** A stack that is deployed. */
export interface DeployedStack {
  /** The ARN, which contains the account, the region and the stack. */
  readonly arn: string;
  readonly resources: readonly DeployedResource[];
  /** Undefined for a template in YAML, which another tool may have deployed. */
  readonly template: Template | undefined;
}

/** Reads a stack by its name, or a nested one by its ARN; returns undefined for a missing stack and for one without resources. */
export type ReadDeployedStack = (name: string) => Promise<DeployedStack | undefined>;

/** Reads stacks from CloudFormation. The caller needs `cloudformation:ListStackResources`, `DescribeStacks` and `GetTemplate`. */
export function deployedStackReader(client: CloudFormationClient): ReadDeployedStack {
  return async (name) => {
    const { GetTemplateCommand, paginateListStackResources } = await import('@aws-sdk/client-cloudformation');
    const stack = await describeStack(client, name);
    if (stack === undefined) return undefined;
    const resources: DeployedResource[] = [];
    for await (const { StackResourceSummaries = [] } of paginateListStackResources(
      { client },
      { StackName: name },
    ))
      resources.push(...StackResourceSummaries.flatMap(resourceOf));
    if (resources.length === 0) return undefined;
    const { TemplateBody = '' } = await client.send(
      new GetTemplateCommand({ StackName: name, TemplateStage: 'Original' }),
    );
    return { arn: stack.StackId ?? '', resources, template: parseTemplate(TemplateBody) };
  };
}

/** Returns an empty list for a resource that CloudFormation has not created yet, or has deleted. */
function resourceOf(summary: StackResourceSummary): DeployedResource[] {
  const { LogicalResourceId, ResourceType, PhysicalResourceId, ResourceStatus } = summary;
  if (!LogicalResourceId || !ResourceType || !PhysicalResourceId) return [];
  if (ResourceStatus === 'DELETE_COMPLETE') return [];
  return [{ logicalId: LogicalResourceId, type: ResourceType, physicalId: PhysicalResourceId }];
}
