import { cloudWatch } from './cloudwatch/service.ts';
import type { ServiceDefinition, ServiceRun } from './definition/define-service.ts';
import { dynamoDb } from './dynamodb/service.ts';
import { eventBridge } from './event-bridge/service.ts';
import { lambda } from './lambda/service.ts';
import { secretsManager } from './secrets-manager/service.ts';
import { sns } from './sns/service.ts';
import { sqs } from './sqs/service.ts';

/** The services that functions call. Lambda is last, because it accepts each request that no other service claims. */
export const services: readonly ServiceDefinition[] = [
  dynamoDb,
  sqs,
  sns,
  secretsManager,
  eventBridge,
  cloudWatch,
  lambda,
];

/**
 * Starts all services of a run, each after those that it uses. Does not wait until they answer.
 *
 * The imports are dynamic because the gateway's process loads this file too, and the AWS SDKs would slow its start.
 */
export async function startAll(run: ServiceRun) {
  const { startApiGateway } = await import('./api-gateway/resources.ts');
  const { startCloudWatch } = await import('./cloudwatch/resources.ts');
  const { startCloudWatchLogs } = await import('./cloudwatch-logs/resources.ts');
  const { startConsoleHosting } = await import('./console-hosting/resources.ts');
  const { startCustomResources } = await import('./custom-resources/resources.ts');
  const { startDynamoDbService } = await import('./dynamodb/resources.ts');
  const { startEventBridge } = await import('./event-bridge/resources.ts');
  const { startIam } = await import('./iam/resources.ts');
  const { startLambda } = await import('./lambda/resources.ts');
  const { startSecretsManager } = await import('./secrets-manager/resources.ts');
  const { startSns } = await import('./sns/resources.ts');
  const { startSqsService } = await import('./sqs/resources.ts');

  const dynamodb = startDynamoDbService(run);
  const queues = startSqsService(run);
  const topics = startSns(run);
  const secrets = startSecretsManager();
  const alarms = startCloudWatch();
  const logs = startCloudWatchLogs();
  const iam = startIam(run);
  const clients = { sqs: queues.client, sns: topics.client };
  const functions = startLambda(run, iam.roles, clients);
  const events = startEventBridge(run, { ...functions, ...clients });
  const api = startApiGateway(run, functions.functions, logs.metrics);
  const consoleHosting = startConsoleHosting(run);
  const customResources = startCustomResources(run, functions.functions);
  return {
    running: [
      dynamodb,
      queues,
      topics,
      secrets,
      alarms,
      logs,
      iam,
      functions,
      events,
      api,
      consoleHosting,
      customResources,
    ],
    dynamodb: dynamodb.client,
    sqs: queues.client,
    secrets: secrets.secrets,
    functions: functions.functions,
  };
}
