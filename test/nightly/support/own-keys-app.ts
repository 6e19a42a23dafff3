/** An app with keys, a bus and a VPC of its own, and two pipelines on the bus. One of these has three sources. */
import { join, resolve } from 'node:path';
import { App, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import {
  GatewayVpcEndpointAwsService,
  InterfaceVpcEndpointAwsService,
  type IVpc,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { EventBus, type IEventBus } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { SqsSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import cdk from '../../../cdk.json' with { type: 'json' };
import { shippedContract } from '../../../contract/document/contract-file-store.ts';
import { explainMistakes } from '../../../lib/app/explain-mistakes.ts';
import { buildFunctions } from '../../../lib/bundling/build-functions.ts';
import type { BuiltFunctions } from '../../../lib/bundling/function-code.ts';
import { Automation, Contract, SmsPipeline, Target } from '../../../lib/public/index.ts';

const root = resolve(import.meta.dirname, '../../..');

await explainMistakes(async () => {
  const app = new App({ context: cdk.context, analyticsReporting: false, autoSynth: false });
  const functions = await buildFunctions({ root, outdir: join(app.outdir, '.build') });

  class BuiltPipeline extends SmsPipeline {
    protected override _builtFunctions(): BuiltFunctions {
      return functions;
    }
  }

  const stack = new Stack(app, 'OwnKeys');
  // Each use has a key, so that a statement for one use does not hide that another lacks its own. For a queue behind a topic the CDK needs two.
  const pipelineKey = new Key(stack, 'PipelineKey');
  const logsKey = new Key(stack, 'LogsKey');
  const queuesKey = new Key(stack, 'QueuesKey');
  const noticesKey = new Key(stack, 'NoticesKey');
  const alarmsKey = new Key(stack, 'AlarmsKey');

  const eventBus = new EventBus(stack, 'Bus', { kmsKey: new Key(stack, 'BusKey') });
  const subnetType = SubnetType.PRIVATE_ISOLATED;
  const vpc = new Vpc(stack, 'Vpc', {
    natGateways: 0,
    restrictDefaultSecurityGroup: false,
    subnetConfiguration: [{ name: 'Isolated', subnetType }],
    gatewayEndpoints: {
      DynamoDb: { service: GatewayVpcEndpointAwsService.DYNAMODB },
      S3: { service: GatewayVpcEndpointAwsService.S3 },
    },
  });
  const { SQS, SECRETS_MANAGER, EVENTBRIDGE, SNS } = InterfaceVpcEndpointAwsService;
  for (const [id, service] of Object.entries({
    Sqs: SQS,
    SecretsManager: SECRETS_MANAGER,
    EventBridge: EVENTBRIDGE,
    Sns: SNS,
  }))
    vpc.addInterfaceEndpoint(id, { service });

  const addQueue = (id: string): Queue => {
    const queue = new Queue(stack, id, { encryptionMasterKey: queuesKey });
    new CfnOutput(stack, `${id}Url`, { value: queue.queueUrl });
    return queue;
  };
  const addTopic = (id: string, masterKey: Key): Topic => {
    const topic = new Topic(stack, id, { masterKey });
    topic.addSubscription(new SqsSubscription(addQueue(`${id}Queue`), { rawMessageDelivery: true }));
    return topic;
  };
  const alarms = addTopic('Alarms', alarmsKey);
  const notices = addTopic('Notices', noticesKey);

  const contract = Contract.fromFile(shippedContract);
  // The lowest limits, so that dead letters come soon.
  const worker = { timeout: Duration.seconds(10), maxReceiveCount: 13 };
  const addPipeline = (id: string): SmsPipeline => {
    const pipeline = new BuiltPipeline(stack, id, {
      contract,
      worker,
      registration: false,
      eventBus: eventBus as IEventBus,
      encryptionKey: pipelineKey,
      logs: { encryptionKey: logsKey },
      alarms: { topic: alarms },
      automations: [Automation.failureAlert({ topic: notices })],
      functions: { vpc: vpc as IVpc, subnets: { subnetType } },
    });
    pipeline.events.onReply(Target.sqs(addQueue(`${id}Replies`)), {
      deadLetterQueue: addQueue(`${id}DeadReplies`),
    });
    return pipeline;
  };
  const production = addPipeline('Production');
  for (const source of ['backup', 'third'])
    production.addSource(source, { contract, worker, registration: false });
  production.events.onDeliveryFailed(Target.sqs(addQueue('Failures')));
  addPipeline('Test');
  app.synth();
});
