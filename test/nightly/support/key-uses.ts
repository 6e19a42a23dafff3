import type { Template } from '../../../local/cloudformation/template.ts';

type Resource = Template['Resources'][string];

/** A service of AWS that uses the key of a resource in its own name. */
export interface KeyUse {
  /** Such as `events`. */
  readonly service: string;
  /** The logical id of the resource under the key. */
  readonly resource: string;
  /** Why the service cannot use the key, or reach the resource; undefined if it can. */
  readonly problem: string | undefined;
}

/** Where a resource says its key. */
const keyProperties: Readonly<Record<string, string>> = {
  'AWS::SQS::Queue': 'KmsMasterKeyId',
  'AWS::SNS::Topic': 'KmsMasterKeyId',
  'AWS::Logs::LogGroup': 'KmsKeyId',
  'AWS::Events::EventBus': 'KmsKeyIdentifier',
  'AWS::SecretsManager::Secret': 'KmsKeyId',
  'AWS::DynamoDB::Table': 'SSESpecification',
};

/** Returns the logical ids of the resources that could be under a key, and are not. */
export function withoutKey({ Resources }: Template): string[] {
  return Object.entries(Resources)
    .filter(([, { Type, Properties }]) => {
      const property = keyProperties[Type];
      return property !== undefined && !JSON.stringify(Properties[property] ?? '').includes('"Fn::GetAtt"');
    })
    .map(([id]) => id);
}

/** Lists every use that a service makes of a key. AWS drops what a service sends without the key, and an emulator does not. */
export function keyUses({ Resources }: Template): KeyUse[] {
  const all = Object.entries(Resources);
  const ofType = (type: string) => all.filter(([, { Type }]) => Type === type);

  /** Returns the statements of the key of a resource that allow a service these actions. */
  function statementsFor(service: string, id: string, actions: readonly string[]): Statement[] {
    const { Type = '', Properties = {} } = Resources[id] ?? {};
    const key = Resources[idIn(Properties[keyProperties[Type] ?? '']) ?? ''];
    return statementsIn(key, 'KeyPolicy').filter(
      (statement) => isOf(service, statement) && actions.every((action) => allows(statement, action)),
    );
  }

  function useOf(
    service: string,
    id: string,
    { actions = dataKey, isGood = () => true }: Partial<Needed> = {},
  ): KeyUse {
    const found = statementsFor(service, id, actions).some(isGood);
    return { service, resource: id, problem: found ? undefined : `no statement for ${actions.join(', ')}` };
  }

  /** Rules send to queues and topics. AWS supports no condition on the source in the key of a topic ("Key management", SNS). */
  const byRules = ofType('AWS::Events::Rule').flatMap(([rule, { Properties }]) =>
    idsIn(Properties.Targets)
      .filter((id) => isQueueOrTopic(Resources[id]))
      .map((id): KeyUse => {
        const use = useOf('events', id, { isGood: ({ Condition }) => Condition === undefined });
        const isAdmitted = ofType('AWS::SQS::QueuePolicy').some(
          ([, policy]) =>
            idsIn(policy.Properties.Queues).includes(id) &&
            statementsIn(policy, 'PolicyDocument').some(
              (statement) =>
                isOf('events', statement) && allows(statement, 'sqs:SendMessage') && admits(statement, rule),
            ),
        );
        return isAdmitted ? use : { ...use, problem: `its policy does not admit ${rule}` };
      }),
  );
  const byAlarms = all
    .filter(([, { Type }]) => /^AWS::CloudWatch::(Composite)?Alarm$/.test(Type))
    .flatMap(([, { Properties }]) => idsIn([Properties.AlarmActions, Properties.OKActions]))
    .map((topic) => useOf('cloudwatch', topic));
  const byTopics = ofType('AWS::SNS::Subscription').flatMap(([, { Properties }]) =>
    idsIn(Properties.Endpoint).map((queue) =>
      useOf('sns', queue, { isGood: (statement) => admits(statement, idIn(Properties.TopicArn) ?? '') }),
    ),
  );
  const byLogs = ofType('AWS::Logs::LogGroup').map(([id]) =>
    useOf('logs', id, { actions: [...dataKey, 'kms:Encrypt', 'kms:ReEncryptTo', 'kms:DescribeKey'] }),
  );
  const byBus = ofType('AWS::Events::EventBus').map(([id]) =>
    useOf('events', id, { actions: [...dataKey, 'kms:DescribeKey'] }),
  );
  return [...byRules, ...byAlarms, ...byTopics, ...byLogs, ...byBus];
}

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Principal: unknown;
  readonly Condition?: unknown;
}

interface Needed {
  readonly actions: readonly string[];
  readonly isGood: (statement: Statement) => boolean;
}

/** What a service needs to send to an encrypted queue or topic. */
const dataKey = ['kms:Decrypt', 'kms:GenerateDataKey'];

function statementsIn(resource: Resource | undefined, property: string): readonly Statement[] {
  return (resource?.Properties[property] as { Statement: readonly Statement[] } | undefined)?.Statement ?? [];
}

/** Returns whether a statement names a service: `events.amazonaws.com`, or `logs.<region>.amazonaws.com`. */
function isOf(service: string, { Principal }: Statement): boolean {
  return JSON.stringify((Principal as { Service?: unknown }).Service ?? '').includes(`"${service}.`);
}

function allows({ Effect, Action }: Statement, action: string): boolean {
  return (
    Effect === 'Allow' &&
    [Action].flat().some((one) => (one.endsWith('*') ? action.startsWith(one.slice(0, -1)) : one === action))
  );
}

/** Returns whether a statement has no condition on the source of the request, or names this one. For a queue under a key the CDK names none. */
function admits({ Condition }: Statement, sourceId: string): boolean {
  const names = JSON.stringify(Condition ?? '').includes('"aws:SourceArn"');
  return !names || idsIn(Condition).includes(sourceId);
}

const isQueueOrTopic = (resource: Resource | undefined) =>
  resource?.Type === 'AWS::SQS::Queue' || resource?.Type === 'AWS::SNS::Topic';

/** Returns the logical ids that a value refers to. */
function idsIn(value: unknown): string[] {
  const references = /\{"(?:Ref":"|Fn::GetAtt":\[")(\w+)"/g;
  return [...(JSON.stringify(value) ?? '').matchAll(references)].map(([, id = '']) => id);
}

const idIn = (value: unknown): string | undefined => idsIn(value)[0];
