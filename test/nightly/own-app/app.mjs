/** An app of a CDK developer: the pipeline as a construct, beside functions, tables, queues and topics of the app's own. */
import { join, resolve } from 'node:path';
import { App, CfnOutput, Duration, Stack, Stage } from 'aws-cdk-lib';
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import { ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import { Code, Function as LambdaFunction, LayerVersion, Runtime } from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, SqsSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { buildFunctions } from '../../../lib/bundling/build-functions.ts';
import { Contract, SmsPipeline, Target } from '../../../lib/public/index.ts';

const root = resolve(import.meta.dirname, '../../..');
const outdir = process.env.CDK_OUTDIR ?? join(root, 'cdk.out');
const built = await buildFunctions({ root, outdir: join(outdir, '.build') });

/** The construct, with the functions of these sources. */
class Pipeline extends SmsPipeline {
  _builtFunctions() {
    return built;
  }
}

const app = new App({ analyticsReporting: false, outdir });
const stack = new Stack(app, 'Shop', { env: { account: '123456789012', region: 'eu-west-1' } });
const sms = new Pipeline(stack, 'Sms', {
  contract: Contract.fromFile(join(root, 'contract.json')),
  apiKey: Secret.fromSecretNameV2(stack, 'Key', 'shop/api-key'),
  alarms: { enabled: false },
  registration: true,
});

const replies = new Table(stack, 'Replies', { partitionKey: { name: 'id', type: AttributeType.STRING } });
const keepReply = new LambdaFunction(stack, 'KeepReply', {
  runtime: Runtime.NODEJS_24_X,
  handler: 'index.handler',
  code: Code.fromAsset(join(import.meta.dirname, 'code')),
  environment: { TABLE_NAME: replies.tableName },
  reservedConcurrentExecutions: 5,
});
replies.grantWriteData(keepReply);
sms.events.onReply(Target.lambda(keepReply.addAlias('live')));

const failures = new Queue(stack, 'Failures');
const dead = new Queue(stack, 'Dead');
const fail = new LambdaFunction(stack, 'Fail', {
  runtime: Runtime.NODEJS_24_X,
  handler: 'index.handler',
  code: Code.fromInline("exports.handler = async () => { throw new Error('out of order'); };"),
  retryAttempts: 0,
  maxEventAge: Duration.minutes(5),
  onFailure: new SqsDestination(failures),
  deadLetterQueue: dead,
});
sms.events.onReply(Target.lambda(fail));

const topic = new Topic(stack, 'Topic');
const work = new Queue(stack, 'Work');
topic.addSubscription(new SqsSubscription(work));
topic.addSubscription(new EmailSubscription('someone@example.com'));
sms.events.onReply(Target.sns(topic));
const done = new Table(stack, 'Done', { partitionKey: { name: 'id', type: AttributeType.STRING } });
const worker = new LambdaFunction(stack, 'Worker', {
  runtime: Runtime.NODEJS_22_X,
  handler: 'index.handler',
  code: Code.fromInline(`import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
export const handler = async ({ Records: [record] }) => {
  const { Message } = JSON.parse(record.body);
  const Item = { id: { S: JSON.parse(Message).detail.replyId } };
  await new DynamoDBClient({}).send(new PutItemCommand({ TableName: process.env.TABLE_NAME, Item }));
};`),
  environment: { TABLE_NAME: done.tableName },
});
worker.addEventSource(new SqsEventSource(work, { batchSize: 1 }));
done.grantWriteData(worker);

// What one machine does not have.
const python = new LambdaFunction(stack, 'Python', {
  runtime: Runtime.PYTHON_3_13,
  handler: 'index.handler',
  code: Code.fromInline('def handler(event, context): pass'),
});
sms.events.onReply(Target.lambda(python));
const inVpc = new LambdaFunction(stack, 'InVpc', {
  runtime: Runtime.NODEJS_24_X,
  handler: 'index.handler',
  code: Code.fromInline('exports.handler = async () => {};'),
  vpc: new Vpc(stack, 'Vpc', {
    maxAzs: 1,
    natGateways: 0,
    subnetConfiguration: [{ name: 'a', subnetType: SubnetType.PRIVATE_ISOLATED }],
  }),
  vpcSubnets: { subnetType: SubnetType.PRIVATE_ISOLATED },
});
inVpc.addLayers(
  new LayerVersion(stack, 'Layer', { code: Code.fromAsset(join(import.meta.dirname, 'code')) }),
);
inVpc.role?.addManagedPolicy(ManagedPolicy.fromAwsManagedPolicyName('AmazonS3ReadOnlyAccess'));
new Stack(new Stage(app, 'Prod'), 'Empty');

const outputs = {
  RepliesTable: replies.tableName,
  DoneTable: done.tableName,
  FailuresUrl: failures.queueUrl,
  DeadUrl: dead.queueUrl,
};
for (const [name, value] of Object.entries(outputs)) new CfnOutput(stack, name, { value });

app.synth();
