import { type Found, resourcesOf } from './resources.ts';
import { type Stack, valuesAt } from './stack.ts';

/** "IAM and AWS STS quotas": all inline policies of a role together, and its trust policy; white space does not count. */
const rolePolicyBytes = 10_240;
const trustPolicyBytes = 2048;
/** "Amazon EventBridge quotas", event bus policy size. */
const busPolicyBytes = 10_240;
/** "Lambda quotas", function resource-based policy. */
const functionPolicyBytes = 20 * 1024;
/** "Amazon SQS policy quotas". */
const queuePolicy = { bytes: 8192, statements: 20, principals: 50, conditions: 10, actions: 7 };
/** "SetTopicAttributes" and "Bucket policies for Amazon S3". */
const topicPolicyBytes = 30 * 1024;
const bucketPolicyBytes = 20 * 1024;
/** "CreateKey", Policy. */
const keyPolicyBytes = 32_768;

/** The statement that Lambda and EventBridge make of a permission in a template. */
const envelopeBytes = 200;

const size = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** Policies that are larger than their service takes, each reference in them as long as it can become. */
export function oversizedPolicies(stacks: readonly Stack[]): string[] {
  const documents = resourcesOf(stacks, 'AWS::IAM::Policy').flatMap((found) =>
    valuesAt(found.resource.Properties, 'Roles.*').map((role): [string, Found] => [
      keyOf(role, found.stack),
      found,
    ]),
  );
  return [
    ...summed(documents, 'PolicyDocument', rolePolicyBytes),
    ...single(resourcesOf(stacks, 'AWS::IAM::Role'), 'AssumeRolePolicyDocument', trustPolicyBytes),
    ...summed(byOwner(stacks, 'AWS::Events::EventBusPolicy', 'EventBusName'), 'Statement', busPolicyBytes),
    ...summed(byOwner(stacks, 'AWS::Lambda::Permission', 'FunctionName'), undefined, functionPolicyBytes),
    ...single(resourcesOf(stacks, 'AWS::SNS::TopicPolicy'), 'PolicyDocument', topicPolicyBytes),
    ...single(resourcesOf(stacks, 'AWS::S3::BucketPolicy'), 'PolicyDocument', bucketPolicyBytes),
    ...single(resourcesOf(stacks, 'AWS::KMS::Key'), 'KeyPolicy', keyPolicyBytes),
    ...single(resourcesOf(stacks, 'AWS::SQS::QueuePolicy'), 'PolicyDocument', queuePolicy.bytes),
    ...resourcesOf(stacks, 'AWS::SQS::QueuePolicy').flatMap(queuePolicyProblems),
  ];
}

/** A role, bus or function, distinct from one of another stack with the same name. */
const keyOf = (reference: unknown, stack: Stack) =>
  typeof reference === 'string' ? reference : `${stack.name} ${JSON.stringify(reference)}`;

function byOwner(stacks: readonly Stack[], type: string, owner: string): [string, Found][] {
  return resourcesOf(stacks, type).map((found) => [
    keyOf(found.resource.Properties[owner], found.stack),
    found,
  ]);
}

function summed(owned: readonly [string, Found][], path: string | undefined, most: number): string[] {
  return [...Map.groupBy(owned, ([owner]) => owner)].flatMap(([owner, of]) => {
    const bytes = of
      .flatMap(([, { properties }]) => (path === undefined ? [properties] : valuesAt(properties, path)))
      .reduce((sum: number, part) => sum + size(part) + (path === 'PolicyDocument' ? 0 : envelopeBytes), 0);
    return bytes > most ? [`${owner}: ${bytes} bytes of policy, at most ${most}`] : [];
  });
}

function single(found: readonly Found[], path: string, most: number): string[] {
  return found.flatMap(({ label, properties }) =>
    valuesAt(properties, path)
      .filter((document) => size(document) > most)
      .map((document) => `${label}: ${size(document)} bytes of policy, at most ${most}`),
  );
}

function queuePolicyProblems({ label, properties }: Found): string[] {
  const statements = valuesAt(properties, 'PolicyDocument.Statement.*');
  const count = (path: string) => statements.flatMap((statement) => valuesAt(statement, path)).flat().length;
  const counted: [string, number, number][] = [
    ['statements', statements.length, queuePolicy.statements],
    ['principals', count('Principal.*'), queuePolicy.principals],
    ['conditions', count('Condition.*.*'), queuePolicy.conditions],
    [
      'actions',
      Math.max(0, ...statements.map((one) => valuesAt(one, 'Action').flat().length)),
      queuePolicy.actions,
    ],
  ];
  return counted
    .filter(([, size, most]) => size > most)
    .map(([what, size, most]) => `${label}: ${size} ${what}, at most ${most}`);
}
