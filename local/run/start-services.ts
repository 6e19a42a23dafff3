import type { HostLimits } from '../function-hosts/host-limits.ts';
import { startGateway } from '../gateway/gateway.ts';
import type { WithoutPermission } from '../iam/withheld-grants.ts';
import { startReaper } from '../processes/reaper.ts';
import { RunningProcesses, removeRunRecord } from '../processes/run-record.ts';
import { HttpApi } from '../services/api-gateway/api.ts';
import { startAwsEndpoint } from '../services/aws-endpoint.ts';
import { LogMetrics } from '../services/cloudwatch-logs/api.ts';
import { ResponseInbox } from '../services/custom-resources/responses.ts';
import { startDynamoDb } from '../services/dynamodb/api.ts';
import { EventBridge } from '../services/event-bridge/api.ts';
import { RoleRegistry } from '../services/iam/roles.ts';
import { AsyncInvocations, FunctionRegistry, retryClockByTimer } from '../services/lambda/functions.ts';
import type { Runtime } from '../services/runtime.ts';
import { SecretsManager } from '../services/secrets-manager/api.ts';
import { snsClient } from '../services/sns/resources.ts';
import { startSqs } from '../services/sqs/api.ts';
import type { Progress } from '../terminal/terminal.ts';
import { freePorts, type Ports } from './ports.ts';
import type { Shutdown } from './shutdown.ts';

export interface ServicesOptions {
  readonly ports: Ports;
  /** Where the SMS service's sandbox listens already. */
  readonly sandboxPort: number;
  readonly java: string;
  readonly runId: string;
  readonly logDirectory: string;
  readonly recordFile: string;
  /** Takes what the functions were allowed and needed. */
  readonly permissionFile: string;
  /** A permission that the functions run without. */
  readonly without: WithoutPermission | undefined;
  readonly hostLimits: HostLimits;
  readonly progress: Progress;
  readonly shutdown: Shutdown;
}

/** Starts the services that the stacks' resources live in; resolves when all of them answer. */
export async function startServices(options: ServicesOptions): Promise<Runtime> {
  const { ports, java, runId, logDirectory, recordFile, permissionFile, progress, shutdown } = options;
  const endWith = (reason: string): void => {
    if (shutdown.ending) return;
    console.error(reason);
    void shutdown.end(1);
  };
  const reaper = startReaper(runId, () =>
    endWith('the process that ends the others has ended itself: giving up'),
  );
  shutdown.add(() => removeRunRecord(recordFile));
  shutdown.add(() => reaper.reap());

  const processes = new RunningProcesses(recordFile, runId, reaper);
  // The services listen on ports of their own; the gateway has those that everybody knows.
  const [dynamodbPort = 0, sqsPort = 0, awsPort = 0] = await freePorts(3);
  const dynamodbLog = `${logDirectory}/dynamodb.log`;
  const dynamodb = startDynamoDb({ port: dynamodbPort, java, logFile: dynamodbLog, runId });
  processes.add('DynamoDB Local', dynamodb.pid);
  const sqsLog = `${logDirectory}/sqs.log`;
  const sqs = startSqs({ port: sqsPort, publicPort: ports.sqs, logFile: sqsLog, runId });
  processes.add('SQS', sqs.pid);
  const note = (line: string): void => {
    if (!shutdown.ending) progress.note(line);
  };
  const gatewayLog = `${logDirectory}/gateway.log`;
  const gateway = startGateway({
    routes: [
      { publicPort: ports.dynamodb, servicePort: dynamodbPort, isSmsService: false },
      { publicPort: ports.sqs, servicePort: sqsPort, isSmsService: false },
      { publicPort: ports.aws, servicePort: awsPort, isSmsService: false },
      { publicPort: ports.smsService, servicePort: options.sandboxPort, isSmsService: true },
    ],
    secretsPort: awsPort,
    permissionFile,
    logFile: gatewayLog,
    runId,
    note,
  });
  processes.add('gateway', gateway.pid);
  shutdown.add(() => gateway.write());
  void gateway.exited.then(() => endWith(`the gateway ended: see ${gatewayLog}`));
  void dynamodb.exited.then(() => endWith(`DynamoDB Local ended: see ${dynamodbLog}`));
  void sqs.exited.then(() => endWith(`SQS ended: see ${sqsLog}`));

  const url = (port: number): string => `http://127.0.0.1:${port}`;
  const secrets = new SecretsManager(() => Date.now() / 1000);
  const functions = new FunctionRegistry();
  const retries = new AbortController();
  const clock = retryClockByTimer(retries.signal);
  const asyncInvocations = new AsyncInvocations(clock, note);
  const eventBridge = new EventBridge({ clock, random: Math.random, note });
  const responses = new ResponseInbox(url(ports.aws));
  const httpApi = new HttpApi('local', Date.now);
  const logMetrics = new LogMetrics();
  const runtime: Runtime = {
    runId,
    dynamodb: dynamodb.client,
    sqs: sqs.client,
    sns: snsClient(url(sqsPort)),
    secrets,
    eventBridge,
    functions,
    hostLimits: options.hostLimits,
    roles: new RoleRegistry(gateway, options.without),
    asyncInvocations,
    responses,
    httpApi,
    logMetrics,
    httpApiUrl: url(ports.httpApi),
    endpoints: {
      DYNAMODB: url(ports.dynamodb),
      SQS: url(ports.sqs),
      // Fauxqs serves both.
      SNS: url(ports.sqs),
      SECRETS_MANAGER: url(ports.aws),
      EVENTBRIDGE: url(ports.aws),
      LAMBDA: url(ports.aws),
    },
    logDirectory,
    mappings: [],
    schedules: [],
    processes,
    note,
  };
  // Not waited for: what a function is busy with is about to be ended anyway.
  shutdown.add(() => {
    retries.abort();
    for (const schedule of runtime.schedules) schedule.stop();
    for (const mapping of runtime.mappings) void mapping.stop();
  });

  const operations = new Map([
    ...[...secrets.operations].map(([name, operation]) => [`secretsmanager.${name}`, operation] as const),
    ...[...eventBridge.operations].map(([name, operation]) => [`AWSEvents.${name}`, operation] as const),
  ]);
  await Promise.all([
    dynamodb.ready.then(() => progress.step(`DynamoDB on ${url(ports.dynamodb)}`)),
    sqs.ready.then(() => progress.step(`SQS on ${url(ports.sqs)}`)),
    gateway.ready,
    startAwsEndpoint(awsPort, {
      ...{ operations, functions, asyncInvocations, responses, eventBridge, httpApi, logMetrics },
    }).then(() => progress.step(`Secrets Manager, EventBridge and Lambda on ${url(ports.aws)}`)),
    httpApi.listen(ports.httpApi).then(() => progress.step(`HTTP API on ${url(ports.httpApi)}`)),
  ]);
  return runtime;
}
