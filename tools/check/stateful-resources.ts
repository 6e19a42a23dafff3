import { isRetained } from '../../cli/commands/deploy/stacks.ts';
import type { Stack } from '../../local/cloudformation/cloud-assembly.ts';

/**
 * The types whose content is lost when CloudFormation replaces the resource, with the properties whose change replaces it ("Update
 * requires: Replacement" on the type's page in the CloudFormation Template Reference) or loses the content in another way.
 */
const stateful: Readonly<Record<string, readonly string[]>> = {
  // The webhook's address, which the SMS service was given.
  'AWS::ApiGatewayV2::Api': ['ProtocolType'],
  // DNS points to it. Another name is another one, and meant to be.
  'AWS::ApiGatewayV2::DomainName': [],
  // Indexes and the stream are not replaced with the table, but are empty after a change of theirs.
  'AWS::DynamoDB::Table': [
    ...['TableName', 'KeySchema', 'AttributeDefinitions', 'LocalSecondaryIndexes'],
    ...['GlobalSecondaryIndexes', 'StreamSpecification', 'TimeToLiveSpecification'],
  ],
  'AWS::Events::Archive': ['ArchiveName', 'SourceArn'],
  // Rules of other stacks and accounts are on it.
  'AWS::Events::EventBus': ['Name', 'EventSourceName'],
  'AWS::KMS::Key': ['KeySpec', 'KeyUsage', 'MultiRegion'],
  'AWS::S3::Bucket': ['BucketName', 'ObjectLockEnabled'],
  // A change of what generates the value makes a new value.
  'AWS::SecretsManager::Secret': ['Name', 'GenerateSecretString', 'SecretString'],
  // The subscribers are in no template.
  'AWS::SNS::Topic': ['TopicName', 'FifoTopic'],
  'AWS::SQS::Queue': ['QueueName', 'FifoQueue'],
};

/** The pinned properties of a resource, without those that the template does not set, and its policies other than Delete. */
export type Pinned = Readonly<Record<string, unknown>>;

/** The stateful resources by stack and logical id, `Storage/HistoryC127576E`, without the prefix of the stacks' names. */
export function statefulResources(stacks: readonly Stack[], stackPrefix: string): Record<string, Pinned> {
  const found = stacks.flatMap((stack) =>
    Object.entries(stack.template.Resources).flatMap(
      ([id, { Type, Properties, ...attributes }]): [string, Pinned][] => {
        const pinned = (stateful[Type] ?? [])
          .filter((name) => Properties[name] !== undefined)
          .map((name) => [name, Properties[name]]);
        const policies = ['DeletionPolicy', 'UpdateReplacePolicy']
          .filter((name) => (attributes[name] ?? 'Delete') !== 'Delete')
          .map((name) => [name, attributes[name]]);
        const path = `${stack.name.slice(stackPrefix.length + 1)}/${id}`;
        return stateful[Type] ? [[path, { Type, ...Object.fromEntries([...policies, ...pinned]) }]] : [];
      },
    ),
  );
  return Object.fromEntries(found.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Resources that stay behind when their stack goes and are of no type that is pinned. */
export function retainedUnpinned(stacks: readonly Stack[]): string[] {
  return stacks.flatMap(({ name, template }) =>
    Object.entries(template.Resources)
      .filter(([, resource]) => isRetained(resource) && stateful[resource.Type] === undefined)
      .map(([id, { Type }]) => `${name} ${id}: ${Type}`),
  );
}
