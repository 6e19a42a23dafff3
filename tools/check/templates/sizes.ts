import { filledIn } from './resources.ts';
import { type Stack, valuesAt } from './stack.ts';

/** A number within two others. */
type Range = readonly [least: number, most: number];

/**
 * The most characters of texts and names that a template sets, by type and path of the property. From the page of each type in the
 * CloudFormation Template Reference, and from the service's API Reference where that says nothing.
 */
const maxTextLengths: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  // "CreateApi": a name and a description.
  'AWS::ApiGatewayV2::Api': { Name: 128, Description: 1024 },
  // Page of the type, "MutualTlsAuthentication"; RFC 1035 has the length of names.
  'AWS::ApiGatewayV2::DomainName': { DomainName: 253, 'MutualTlsAuthentication.TruststoreVersion': 64 },
  // "Quotas for configuring and running an HTTP API": access log template size, 3 KB.
  'AWS::ApiGatewayV2::Stage': { StageName: 128, Description: 1024, 'AccessLogSettings.Format': 3072 },
  // "PutMetricAlarm".
  'AWS::CloudWatch::Alarm': { AlarmName: 255, AlarmDescription: 1024, Namespace: 255, MetricName: 255 },
  'AWS::CloudWatch::Dashboard': { DashboardName: 255 },
  // "CreateTable".
  'AWS::DynamoDB::Table': { TableName: 255, 'GlobalSecondaryIndexes.*.IndexName': 255 },
  'AWS::DynamoDB::GlobalTable': { TableName: 255, 'GlobalSecondaryIndexes.*.IndexName': 255 },
  // "EventBridge Schema Registry API, CreateRegistry and CreateSchema"; "Schema Registry quotas" has the size.
  'AWS::EventSchemas::Registry': { RegistryName: 64, Description: 256 },
  'AWS::EventSchemas::Schema': { SchemaName: 385, Description: 256, Content: 100_000 },
  // "CreateApiDestination", "CreateConnection", "CreateArchive", "CreateEventBus", "PutPermission", "PutRule", "PutTargets".
  'AWS::Events::ApiDestination': { Name: 64, Description: 512, InvocationEndpoint: 2048 },
  'AWS::Events::Connection': { Name: 64, Description: 512 },
  'AWS::Events::Archive': { ArchiveName: 48, Description: 512 },
  'AWS::Events::EventBus': { Name: 256, Description: 512 },
  'AWS::Events::EventBusPolicy': { StatementId: 64 },
  'AWS::Events::Rule': { Name: 64, Description: 512, ScheduleExpression: 256, 'Targets.*.Id': 64 },
  // "CreateDatabase" and "CreateTable" of AWS Glue.
  'AWS::Glue::Database': { 'DatabaseInput.Name': 255, 'DatabaseInput.Description': 2048 },
  'AWS::Glue::Table': { 'TableInput.Name': 255, 'TableInput.Description': 2048 },
  // "IAM and AWS STS quotas".
  'AWS::IAM::Policy': { PolicyName: 128 },
  'AWS::IAM::Role': { RoleName: 64, Description: 1000 },
  'AWS::KMS::Alias': { AliasName: 256 },
  'AWS::KMS::Key': { Description: 8192 },
  // "CreateFunction".
  'AWS::Lambda::Function': { FunctionName: 64, Description: 256, Handler: 128 },
  'AWS::Lambda::LayerVersion': { LayerName: 140, Description: 256 },
  // "CreateLogGroup", "PutMetricFilter".
  'AWS::Logs::LogGroup': { LogGroupName: 512 },
  'AWS::Logs::MetricFilter': {
    FilterName: 512,
    FilterPattern: 1024,
    'MetricTransformations.*.MetricName': 255,
    'MetricTransformations.*.MetricNamespace': 255,
  },
  'AWS::S3::Bucket': { BucketName: 63 },
  // "CreateSecret".
  'AWS::SecretsManager::Secret': { Name: 512, Description: 2048 },
  // "CreateTopic".
  'AWS::SNS::Topic': { TopicName: 256, DisplayName: 100 },
  // "Amazon SQS standard queue quotas".
  'AWS::SQS::Queue': { QueueName: 80 },
  // "Step Functions service quotas".
  'AWS::StepFunctions::StateMachine': { StateMachineName: 80, DefinitionString: 1_048_576 },
};

/** Between what numbers must be, by type and path; from the same pages. */
const ranges: Readonly<Record<string, Readonly<Record<string, Range>>>> = {
  'AWS::CloudWatch::Alarm': { EvaluationPeriods: [1, 86_400], Period: [10, 86_400] },
  'AWS::Events::ApiDestination': { InvocationRateLimitPerSecond: [1, 300] },
  'AWS::Events::Archive': { RetentionDays: [0, 2_147_483_647] },
  // "PutTargets", RetryPolicy.
  'AWS::Events::Rule': {
    'Targets.*.RetryPolicy.MaximumEventAgeInSeconds': [60, 86_400],
    'Targets.*.RetryPolicy.MaximumRetryAttempts': [0, 185],
  },
  // "PutFunctionEventInvokeConfig".
  'AWS::Lambda::EventInvokeConfig': { MaximumEventAgeInSeconds: [60, 21_600], MaximumRetryAttempts: [0, 2] },
  // "CreateEventSourceMapping".
  'AWS::Lambda::EventSourceMapping': {
    BatchSize: [1, 10_000],
    MaximumBatchingWindowInSeconds: [0, 300],
    MaximumRecordAgeInSeconds: [60, 604_800],
    MaximumRetryAttempts: [-1, 10_000],
    ParallelizationFactor: [1, 10],
    'ScalingConfig.MaximumConcurrency': [2, 1000],
  },
  // "Lambda quotas".
  'AWS::Lambda::Function': { Timeout: [1, 900], MemorySize: [128, 10_240] },
  // "Amazon SQS message quotas"; "SetQueueAttributes" has the redrive policy.
  'AWS::SQS::Queue': {
    DelaySeconds: [0, 900],
    MaximumMessageSize: [1024, 1_048_576],
    MessageRetentionPeriod: [60, 1_209_600],
    ReceiveMessageWaitTimeSeconds: [0, 20],
    VisibilityTimeout: [0, 43_200],
    'RedrivePolicy.maxReceiveCount': [1, 1000],
  },
};

/** "Understand CloudFormation quotas": of a stack. Its megabyte is taken as the smaller one. */
const stackLimits = {
  templateBytes: 1_000_000,
  descriptionBytes: 1024,
  resources: 500,
  outputs: 200,
  parameters: 200,
  idCharacters: 255,
  outputDescriptionBytes: 4096,
  dynamicReferences: 60,
} as const;

const bytesOf = (text: string) => Buffer.byteLength(text);

/** Stacks with more of something than CloudFormation takes. */
export function oversizedStacks(stacks: readonly Stack[]): string[] {
  return stacks.flatMap(({ name, template, templateBytes }) => {
    const { Description = '', Resources, Outputs, Parameters } = template;
    const measured: [what: string, size: number, most: number][] = [
      ['bytes of template', templateBytes, stackLimits.templateBytes],
      ['bytes of description', bytesOf(Description), stackLimits.descriptionBytes],
      ['resources', Object.keys(Resources).length, stackLimits.resources],
      ['outputs', Object.keys(Outputs).length, stackLimits.outputs],
      ['parameters', Object.keys(Parameters).length, stackLimits.parameters],
      [
        'dynamic references',
        JSON.stringify(template).split('{{resolve:').length - 1,
        stackLimits.dynamicReferences,
      ],
      ...Object.entries(Outputs).map(([id, output]): [string, number, number] => [
        `bytes of description of ${id}`,
        bytesOf(output.Description ?? ''),
        stackLimits.outputDescriptionBytes,
      ]),
    ];
    const tooMuch = measured
      .filter(([, size, most]) => size > most)
      .map(([what, size, most]) => `${name}: ${size} ${what}, at most ${most}`);
    const ids = [Resources, Outputs, Parameters].flatMap(Object.keys);
    const badIds = ids.filter((id) => !/^[A-Za-z0-9]+$/.test(id) || id.length > stackLimits.idCharacters);
    return [...tooMuch, ...badIds.map((id) => `${name}: ${id} is no logical id`)];
  });
}

/** Names and descriptions that are longer than their service takes, each reference in them as long as it can become. */
export function overlongTexts(stacks: readonly Stack[]): string[] {
  return checkedProperties(stacks, maxTextLengths, (value, most) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return bytesOf(text) > most ? `${bytesOf(text)} bytes, at most ${most}` : undefined;
  });
}

/** Numbers outside of what their service takes. */
export function numbersOutOfRange(stacks: readonly Stack[]): string[] {
  return checkedProperties(stacks, ranges, (value, [least, most]) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most
      ? undefined
      : `${String(value)}, from ${least} to ${most}`,
  );
}

function checkedProperties<T>(
  stacks: readonly Stack[],
  limits: Readonly<Record<string, Readonly<Record<string, T>>>>,
  check: (value: unknown, limit: T) => string | undefined,
): string[] {
  return stacks.flatMap((stack) =>
    Object.entries(stack.template.Resources).flatMap(([id, { Type, Properties }]) =>
      Object.entries(limits[Type] ?? {}).flatMap(([path, limit]) =>
        valuesAt(Properties, path).flatMap((value) => {
          const problem = check(filledIn(value, stack, stacks), limit);
          return problem === undefined ? [] : `${stack.name} ${id} ${path}: ${problem}`;
        }),
      ),
    ),
  );
}
