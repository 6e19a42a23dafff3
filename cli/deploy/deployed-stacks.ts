import type { CloudFormationClient, StackResourceSummary } from '@aws-sdk/client-cloudformation';
import { describeStack } from '../outputs.ts';
import { parseTemplate, type Template } from './template.ts';

/** A resource as CloudFormation made it. */
interface DeployedResource {
  readonly logicalId: string;
  readonly type: string;
  /** The URL of a queue, the ARN of a topic, a name otherwise. */
  readonly physicalId: string;
}

/** A stack that is deployed. */
export interface DeployedStack {
  /** Names the account and the region, and the stack. */
  readonly arn: string;
  readonly resources: readonly DeployedResource[];
  /** Undefined where it is no JSON: the CDK writes JSON, another tool may have deployed YAML. */
  readonly template: Template | undefined;
}

/** Reads a stack by its name; undefined where there is none, or where it has no resource. */
export type ReadDeployedStack = (name: string) => Promise<DeployedStack | undefined>;

/** Reads stacks from CloudFormation. It takes `cloudformation:ListStackResources`, `DescribeStacks` and `GetTemplate`. */
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
