import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SNSClient } from '@aws-sdk/client-sns';
import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { omitUndefined } from '../../../functions/base/basics.ts';
import { arnOf, type Permission } from '../../aws-protocol/call.ts';
import { loopbackUrl } from '../../aws-protocol/http.ts';
import {
  type CreateResource,
  physicalName,
  type ResourceRequest,
} from '../../cloudformation/deploy-stack.ts';
import { inert, NotOnOneMachine, readProperties, wholeNumber } from '../../cloudformation/template.ts';
import { type FunctionDefinition, hostEnvironment, hostLimit } from '../../function-hosts/environment.ts';
import { HostPool } from '../../function-hosts/pool.ts';
import type { RunningService, ServiceRun } from '../definition/define-service.ts';
import type { RoleRegistry } from '../iam/roles.ts';
import { lambdaRoutes } from './api.ts';
import { eventSourceMappingCreator } from './event-source-mappings.ts';
import type { EventSourceMapping } from './event-sources/queue-mapping.ts';
import {
  AsyncInvocations,
  type DeadLetters,
  type Destination,
  defaultAsyncInvokeConfig,
  FunctionRegistry,
  type LambdaParts,
  type RetryClock,
  retryClockByTimer,
} from './functions.ts';
import { sendToQueue, sendToTopic, type TargetServices, targetSender } from './senders.ts';

export function startLambda(
  run: ServiceRun,
  roles: RoleRegistry,
  clients: { readonly sqs: SQSClient; readonly sns: SNSClient },
) {
  const retries = new AbortController();
  const clock = retryClockByTimer(retries.signal);
  const functions = new FunctionRegistry();
  const asyncInvocations = new AsyncInvocations(clock, (line) => run.note(line));
  const mappings: EventSourceMapping[] = [];
  const destinations = { ...clients, sqsUrl: loopbackUrl(run.ports.sqs), functions, asyncInvocations };
  return {
    functions,
    asyncInvocations,
    clock,
    routes: lambdaRoutes({ functions, asyncInvocations }),
    resources: {
      'AWS::Lambda::Alias': aliasCreator(functions),
      'AWS::Lambda::Function': functionCreator(run, roles, destinations),
      'AWS::Lambda::Version': versionCreator(functions),
      'AWS::Lambda::EventSourceMapping': eventSourceMappingCreator({
        endpoints: run.endpoints,
        functions,
        mappings,
        note: (line) => run.note(line),
        roles,
      }),
      'AWS::Lambda::EventInvokeConfig': eventInvokeConfigCreator(destinations, roles),
    },
    inertTypes: ['AWS::Lambda::LayerVersion', 'AWS::Lambda::Permission'],
    stop() {
      retries.abort();
      for (const mapping of mappings) void mapping.stop();
    },
  } satisfies RunningService & LambdaParts & { clock: RetryClock };
}

const functionSchema = z.strictObject({
  FunctionName: z.string().optional(),
  Code: z.strictObject({ S3Bucket: inert, S3Key: z.string().optional(), ZipFile: z.string().optional() }),
  DeadLetterConfig: z.strictObject({ TargetArn: z.string() }).optional(),
  Handler: z.string(),
  Runtime: z.string(),
  Timeout: wholeNumber.default(3),
  MemorySize: wholeNumber.default(128),
  Environment: z.strictObject({ Variables: z.record(z.string(), z.coerce.string()) }).optional(),
  ReservedConcurrentExecutions: wholeNumber.optional(),
  Architectures: inert,
  Description: inert,
  EphemeralStorage: inert,
  LoggingConfig: z
    .object({
      LogGroup: z.string().optional(),
      LogFormat: z.enum(['JSON', 'Text']).default('Text'),
      ApplicationLogLevel: z.string().default('INFO'),
      SystemLogLevel: inert,
    })
    .prefault({}),
  RecursiveLoop: inert,
  Role: z.string(),
  Tags: inert,
  TracingConfig: inert,
});

function functionCreator(run: ServiceRun, roles: RoleRegistry, destinations: TargetServices): CreateResource {
  const { functions, asyncInvocations } = destinations;
  return async (request) => {
    // The CDK's own function for uploads, in Python. The console is served by `sms console`.
    if (request.logicalId.includes('CustomCDKBucketDeployment'))
      return { ref: request.logicalId, attributes: { Arn: 'none' } };
    requireNodeFunction(request);
    const properties = readProperties(functionSchema, request);
    const codeDirectory = codeDirectoryOf(properties.Code, request, join(run.logDirectory, '../inline'));
    const reservedConcurrency = properties.ReservedConcurrentExecutions;
    const environment = withSandbox(
      properties.Environment?.Variables ?? {},
      loopbackUrl(run.ports.smsService),
    );
    const logging = properties.LoggingConfig;
    const name = properties.FunctionName ?? physicalName(request, 64);
    const service = environment.POWERTOOLS_SERVICE_NAME;
    const isLabelTaken = functions.all().some(({ definition: { label } }) => label === service);
    const definition: FunctionDefinition = {
      name,
      // The function's own log lines have this name too.
      label: service === undefined || isLabelTaken ? name : service,
      // DynamoDB Local accepts only letters and digits.
      accessKeyId: `${request.stack.name}${request.logicalId}`.replaceAll(/[^A-Za-z0-9]/g, ''),
      codeDirectory,
      handler: properties.Handler,
      timeoutSeconds: properties.Timeout,
      memoryMegabytes: properties.MemorySize,
      environment,
      ...(reservedConcurrency !== undefined && { reservedConcurrency }),
      ...(logging.LogFormat === 'JSON' && { jsonLogs: { applicationLevel: logging.ApplicationLogLevel } }),
    };
    const arn = arnOf('lambda', `function:${definition.name}`);
    await roles.run(definition, properties.Role);
    const logGroup = logging.LogGroup ?? `/aws/lambda/${name}`;
    const denial = await roles.denialOf(definition, loggingPermissions(logGroup));
    if (denial !== undefined) request.note(`the function could not write its log: ${denial}`);
    const { DeadLetterConfig } = properties;
    if (DeadLetterConfig !== undefined) {
      await roles.require(definition, [sendPermission(DeadLetterConfig.TargetArn)]);
      asyncInvocations.setDeadLetters(name, deadLettersOf(DeadLetterConfig.TargetArn, destinations));
    }
    functions.add({ definition, arn, pool: startPool(run, definition) });
    return { ref: definition.name, attributes: { Arn: arn } };
  };
}

/** The variables of the pipeline's functions with an address of the SMS service. */
const serviceAddresses = ['SMS_SERVICE_BASE_URL', 'LOOKUPS_BASE_URL'];

/** Replaces the address of a real service, which the pipeline has in an own app, because a local run must not call it. */
function withSandbox(
  variables: Readonly<Record<string, string>>,
  sandboxUrl: string,
): Readonly<Record<string, string>> {
  const isReal = ([name, value]: [string, string]) =>
    serviceAddresses.includes(name) && !value.startsWith('http://127.0.0.1:');
  const entries = Object.entries(variables);
  return Object.fromEntries(entries.map((entry) => (isReal(entry) ? [entry[0], sandboxUrl] : entry)));
}

const nodeRuntime = /^nodejs\d+\.x$/;

/** @throws NotOnOneMachine for a function that is not code for Node.js */
function requireNodeFunction({ properties, note }: ResourceRequest): void {
  const { Handler, PackageType, Runtime } = properties;
  if (Handler === handlerOfCdk)
    throw new NotOnOneMachine(
      'the CDK adds this function for a custom resource, which acts on resources in AWS',
    );
  if (PackageType === 'Image') {
    throw new NotOnOneMachine(
      'the function is a container image, and one machine runs Node.js functions only',
    );
  }
  if (!nodeRuntime.test(String(Runtime))) {
    throw new NotOnOneMachine(`its runtime is ${Runtime}, and one machine runs Node.js functions only`);
  }
  if (Runtime !== ownRuntime)
    note(`its runtime is ${Runtime}, and it runs with Node.js ${process.version} here`);
}

/** The handler of the functions behind the CDK's own custom resources (aws-cdk-lib/core, custom-resource-provider-base). */
const handlerOfCdk = '__entrypoint__.handler';

/** The runtime of the pipeline's own functions. */
const ownRuntime = 'nodejs24.x';

/**
 * Returns the folder of a function's code. Writes inline code into one.
 *
 * @throws NotOnOneMachine for code that is not a folder of this app
 */
function codeDirectoryOf(
  { S3Key, ZipFile }: z.output<typeof functionSchema>['Code'],
  { stack, logicalId }: ResourceRequest,
  inlineDirectory: string,
): string {
  if (ZipFile !== undefined) {
    const directory = join(inlineDirectory, stack.name, logicalId);
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'index.js'), ZipFile);
    // The app's own package.json may say that all of its files are ES modules.
    writeFileSync(join(directory, 'package.json'), '{}');
    return directory;
  }
  const asset = S3Key === undefined ? undefined : stack.assets.get(S3Key);
  if (asset === undefined)
    throw new NotOnOneMachine('its code is in a bucket. Use Code.fromAsset, so that the code is in the app.');
  if (!statSync(asset, { throwIfNoEntry: false })?.isDirectory())
    throw new NotOnOneMachine(
      `its code is not a folder: ${asset}. Use Code.fromAsset with the unpacked folder.`,
    );
  return asset;
}

/** @throws NotOnOneMachine for a target that is not a queue or topic */
export function deadLettersOf(targetArn: string, destinations: TargetServices): DeadLetters {
  const service = targetArn.split(':')[2];
  const send = service === 'sqs' ? sendToQueue : service === 'sns' ? sendToTopic : undefined;
  if (send === undefined) throw new NotOnOneMachine(`${targetArn} is not a queue or topic`);
  return (event, attributes) => send(destinations, targetArn, JSON.stringify(event), attributes);
}

/** The permission that Lambda needs under a function's role to send to a queue, topic or function. */
function sendPermission(targetArn: string): Permission {
  const actions: Record<string, string> = { sqs: 'SendMessage', sns: 'Publish', lambda: 'InvokeFunction' };
  const service = targetArn.split(':')[2] ?? '';
  return { action: `${service}:${actions[service]}`, resource: targetArn };
}

const versionSchema = z.looseObject({ FunctionName: z.string() });

/** A version is the function itself. */
function versionCreator(functions: FunctionRegistry): CreateResource {
  return async (request) => {
    const { arn } = functions.inTemplate(readProperties(versionSchema, request).FunctionName);
    return { ref: `${arn}:1`, attributes: { FunctionArn: `${arn}:1`, Version: '1' } };
  };
}

const aliasSchema = z.looseObject({ FunctionName: z.string(), Name: z.string() });

/** An alias is the function itself. */
function aliasCreator(functions: FunctionRegistry): CreateResource {
  return async (request) => {
    const { FunctionName, Name } = readProperties(aliasSchema, request);
    const arn = `${functions.inTemplate(FunctionName).arn}:${Name}`;
    return { ref: arn, attributes: { AliasArn: arn } };
  };
}

/** A function without these permissions would run on AWS without a log. */
function loggingPermissions(logGroup: string): Permission[] {
  const resource = arnOf('logs', `log-group:${logGroup}:log-stream:local`);
  return ['CreateLogStream', 'PutLogEvents'].map((action) => ({ action: `logs:${action}`, resource }));
}

function startPool(run: ServiceRun, definition: FunctionDefinition): HostPool {
  const logFile = join(run.logDirectory, `${definition.label}.log`);
  const pool = new HostPool({
    definition,
    environment: hostEnvironment(definition, run.endpoints),
    limit: hostLimit(definition),
    logFile,
    runId: run.runId,
    watch: (pid) => run.processes.add(definition.label, pid),
  });
  // A host is started before the first event, so that the event does not wait and a bundle that does not load is noticed now.
  void pool.prestart().then((outcome) => {
    if (outcome.kind === 'error')
      run.note(`${definition.label} does not start: ${outcome.error.errorMessage} (${logFile})`);
  });
  return pool;
}

const destination = z.strictObject({ Destination: z.string() }).optional();

const eventInvokeConfigSchema = z.strictObject({
  FunctionName: z.string(),
  MaximumEventAgeInSeconds: wholeNumber
    .min(60)
    .max(21_600)
    .default(defaultAsyncInvokeConfig.maximumEventAgeSeconds),
  MaximumRetryAttempts: wholeNumber.min(0).max(2).default(defaultAsyncInvokeConfig.maximumRetryAttempts),
  DestinationConfig: z.strictObject({ OnSuccess: destination, OnFailure: destination }).optional(),
  Qualifier: inert,
});

/** Configures how a function's asynchronous invocations are retried, and where records of them go. */
export function eventInvokeConfigCreator(
  services: TargetServices,
  roles: Pick<RoleRegistry, 'require'>,
): CreateResource {
  const { functions, asyncInvocations } = services;
  return async (request) => {
    const properties = readProperties(eventInvokeConfigSchema, request);
    const { definition } = functions.inTemplate(properties.FunctionName);
    const { OnSuccess, OnFailure } = properties.DestinationConfig ?? {};
    const sender = async (to: z.output<typeof destination>): Promise<Destination | undefined> => {
      if (to === undefined) return undefined;
      const send = targetSender(services, to.Destination);
      if (send === undefined) {
        request.note(`one machine sends nothing to the destination ${to.Destination}`);
        return undefined;
      }
      await roles.require(definition, [sendPermission(to.Destination)]);
      return send;
    };
    asyncInvocations.configure(
      definition.name,
      omitUndefined({
        maximumEventAgeSeconds: properties.MaximumEventAgeInSeconds,
        maximumRetryAttempts: properties.MaximumRetryAttempts,
        onSuccess: await sender(OnSuccess),
        onFailure: await sender(OnFailure),
      }),
    );
    return { ref: physicalName(request, 255) };
  };
}
