/** Policies that AWS manages, as far as their actions are ones that a function can notice on one machine. */
const logs = ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'];

/** The allowed actions, each on all resources, by the policy's name (AWS Managed Policy Reference Guide). */
const policies: Readonly<Record<string, readonly string[]>> = {
  AWSLambdaBasicExecutionRole: logs,
  AWSLambdaVPCAccessExecutionRole: logs,
  AWSLambdaSQSQueueExecutionRole: [
    ...logs,
    'sqs:DeleteMessage',
    'sqs:GetQueueAttributes',
    'sqs:ReceiveMessage',
  ],
  AWSLambdaDynamoDBExecutionRole: [
    ...logs,
    'dynamodb:DescribeStream',
    'dynamodb:GetRecords',
    'dynamodb:GetShardIterator',
    'dynamodb:ListStreams',
  ],
  AWSLambdaInvocation_DynamoDB: [
    'dynamodb:DescribeStream',
    'dynamodb:GetRecords',
    'dynamodb:GetShardIterator',
    'dynamodb:ListStreams',
    'lambda:InvokeFunction',
  ],
  AWSLambdaRole: ['lambda:InvokeFunction'],
  AWSLambda_FullAccess: ['lambda:*'],
  AWSXRayDaemonWriteAccess: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
  AWSXrayWriteOnlyAccess: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
  CloudWatchLambdaInsightsExecutionRolePolicy: ['logs:CreateLogGroup'],
  AdministratorAccess: ['*'],
  AmazonDynamoDBFullAccess: ['dynamodb:*'],
  AmazonDynamoDBFullAccess_v2: ['dynamodb:*'],
  AmazonDynamoDBReadOnlyAccess: ['BatchGetItem', 'Describe*', 'GetItem', 'List*', 'Query', 'Scan'].map(
    (call) => `dynamodb:${call}`,
  ),
  AmazonEventBridgeFullAccess: ['events:*'],
  AmazonSNSFullAccess: ['sns:*'],
  AmazonSQSFullAccess: ['sqs:*'],
  SecretsManagerReadWrite: ['secretsmanager:*'],
};

/** Returns the actions that a policy of AWS allows; undefined for one that is not listed here. @param arn `arn:aws:iam::aws:policy/...` */
export function managedActions(arn: string): readonly string[] | undefined {
  const name = /^arn:aws[\w-]*:iam::aws:policy\/(?:[\w-]+\/)*([\w-]+)$/.exec(arn)?.[1];
  return name !== undefined && Object.hasOwn(policies, name) ? policies[name] : undefined;
}
