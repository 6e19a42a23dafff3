// An app with every prop. The tests run and compile it beside the installed package, which then replaces the relative import.
import { App, Duration, NestedStack, RemovalPolicy, Stack, type StackProps, Stage } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { TableClass } from 'aws-cdk-lib/aws-dynamodb';
import { SecurityGroup, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2';
import { EventBus, Match } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Architecture } from 'aws-cdk-lib/aws-lambda';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import {
  Automation,
  Contract,
  DetailType,
  Keywords,
  Preset,
  SmsPipeline,
  Target,
} from '../../../lib/public/index.ts';

const contract = Contract.fromFile('contract.json');
const certificateArn = 'arn:aws:acm:us-east-1:111111111111:certificate/0a1b2c3d-0000-0000-0000-000000000000';

const list = '5f2b8a52-0a2f-4f2e-9d3a-3f6f7c1f9e10';

/** The props of each automation that has any. */
export function everyAutomation(topic: ITopic) {
  return {
    optOutContacts: { optOutListIds: [list], optInListIds: [list], topic },
    contactSync: { listIds: [list] },
    failureAlert: { period: Duration.minutes(30), topic },
    forward: { url: 'https://receiver.test/events', detailTypes: [DetailType.OPT_OUT] },
  };
}

/** The props of a webhook that each source has. */
const webhook = {
  allowedSources: ['192.0.2.0/24'],
  alwaysParkUnverified: true,
  captureUntil: '2026-01-15T12:00:00Z',
  repairDrift: false,
  secretOverlap: Duration.hours(48),
  rotateAfter: Duration.days(91),
};
const worker = {
  batchSize: 500,
  batchWindow: Duration.seconds(5),
  timeout: Duration.seconds(30),
  maximumConcurrency: 20,
  maxReceiveCount: 30,
};

/** Every prop of a source. */
export function everySourceProp(scope: Construct) {
  return {
    contract,
    apiKey: Secret.fromSecretNameV2(scope, 'BackupKey', 'sms/backup-key'),
    serviceBaseUrl: 'https://backup.test',
    registration: true,
    lookups: true,
    lookupPrices: true,
    webhook,
    worker,
  };
}

/** Every prop of a pipeline. */
export function everyProp(scope: Construct) {
  const topic = new Topic(scope, 'Tickets');
  const certificate = Certificate.fromCertificateArn(scope, 'Certificate', certificateArn);
  const automations = everyAutomation(topic);
  const vpc = Vpc.fromVpcAttributes(scope, 'Vpc', {
    vpcId: 'vpc-1',
    availabilityZones: ['us-east-1a'],
    privateSubnetIds: ['subnet-1'],
  });
  return {
    contract,
    apiKey: Secret.fromSecretNameV2(scope, 'ApiKey', 'sms/api-key'),
    keywords: Keywords.standard(),
    serviceBaseUrl: 'https://service.test',
    registration: true,
    lookups: true,
    lookupPrices: true,
    retention: Duration.days(31),
    quarantineRetention: Duration.days(8),
    staleAfter: Duration.hours(24),
    optOutsBySource: true,
    listShards: 4,
    removalPolicy: RemovalPolicy.DESTROY,
    tables: { historyClass: TableClass.STANDARD_INFREQUENT_ACCESS, recovery: Duration.days(8) },
    webhook: {
      ...webhook,
      ratePerSecond: 50,
      burst: 80,
      domain: {
        name: 'sms.pipeline.test',
        certificate,
        usedByWebhook: true,
        mutualTls: {
          bucket: Bucket.fromBucketName(scope, 'Trust', 'trust.pipeline.test'),
          key: 'cas/service.pem',
          version: '1',
        },
      },
    },
    worker,
    events: {
      everyEvent: true,
      parallelism: 4,
      archive: Duration.days(9),
      accounts: ['111111111111'],
    },
    exports: { retention: Duration.days(32) },
    insights: { enabled: true, retention: Duration.days(33), hourRetention: Duration.days(30) },
    console: {
      oidc: { issuer: 'https://login.pipeline.test', clientId: 'console', groupsClaim: 'roles' },
      domain: { name: 'console.pipeline.test', certificate },
    },
    automations: [
      Automation.optOutContacts(automations.optOutContacts),
      Automation.contactSync(automations.contactSync),
      Automation.failureAlert(automations.failureAlert),
      Automation.forward(automations.forward),
      Automation.billingWatch(),
      Automation.deliveryWatch(),
    ],
    alarms: {
      enabled: true,
      topic,
      page: new Topic(scope, 'Pages'),
      runbookUrl: 'https://wiki.pipeline.test/alarms.md',
      overrides: {
        RequestsRejected: { enabled: true, threshold: 50, evaluationPeriods: 3, datapointsToAlarm: 2, topic },
      },
    },
    dashboard: true,
    functions: {
      memorySize: 1024,
      architecture: Architecture.X86_64,
      vpc,
      subnets: { subnetType: SubnetType.PRIVATE_WITH_EGRESS },
      securityGroups: [new SecurityGroup(scope, 'Functions', { vpc })],
    },
    outputs: true,
    logs: {
      encryptionKey: new Key(scope, 'LogKey'),
      retention: RetentionDays.ONE_WEEK,
      auditRetention: RetentionDays.ONE_YEAR,
      access: true,
      invocations: true,
    },
    tracing: true,
    tags: { team: 'shop' },
    encryptionKey: new Key(scope, 'Key'),
    metricsNamespace: 'Shop/Sms',
  };
}

/** Every prop that excludes one of `everyProp`: the owner of a bus controls its accounts. */
export function everyOtherProp(scope: Construct) {
  return { eventBus: EventBus.fromEventBusName(scope, 'Bus', 'shop') };
}

/** A pipeline with a subscription. */
function addPipeline(scope: Construct): void {
  const topic = new Topic(scope, 'Alarms');
  const preset = Contract.preset(Preset.TWILIO);
  const sms = new SmsPipeline(scope, 'Sms', {
    contract: preset,
    registration: false,
    alarms: { topic },
    ...everyOtherProp(scope),
  });
  sms.events.onReply(Target.sns(topic), { text: Match.prefix('Yes') });
}

class Shop extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    addPipeline(this);
  }
}

const app = new App();

const stack = new Stack(app, 'EveryProp', { env: { region: 'us-east-1', account: '111111111111' } });
const sms = new SmsPipeline(stack, 'Sms', everyProp(stack));
sms.addSource('backup', everySourceProp(stack));

new Shop(app, 'ShopAlpha');
new Shop(app, 'ShopBeta', { stackName: 'shop-beta' });
new Shop(new Stage(app, 'Prod'), 'Shop');
addPipeline(new NestedStack(new Stack(app, 'Parent'), 'Nested'));

app.synth();
