import { join } from 'node:path';
import * as z from 'zod';
import { arnOf, type Permission } from '../../aws-protocol/call.ts';
import { type CreateResource, physicalName } from '../../cloudformation/deploy-stack.ts';
import { inert, readProperties, TemplateError, wholeNumber } from '../../cloudformation/template.ts';
import { type FunctionDefinition, hostEnvironment, hostLimit } from '../../function-hosts/environment.ts';
import { HostPool } from '../../function-hosts/pool.ts';
import type { RunningService, ServiceRun } from '../definition/define-service.ts';
import type { RoleRegistry } from '../iam/roles.ts';
import { lambdaRoutes } from './api.ts';
import { eventSourceMappingCreator } from './event-source-mappings.ts';
import type { EventSourceMapping } from './event-sources/queue-mapping.ts';
import {
  AsyncInvocations,
  defaultAsyncInvokeConfig,
  FunctionRegistry,
  type LambdaParts,
  type RetryClock,
  retryClockByTimer,
} from './functions.ts';

export function startLambda(run: ServiceRun, roles: RoleRegistry) {
  const retries = new AbortController();
  const clock = retryClockByTimer(retries.signal);
  const functions = new FunctionRegistry();
  const asyncInvocations = new AsyncInvocations(clock, (line) => run.note(line));
  const mappings: EventSourceMapping[] = [];
  return {
    functions,
    asyncInvocations,
    clock,
    routes: lambdaRoutes({ functions, asyncInvocations }),
    resources: {
      'AWS::Lambda::Function': functionCreator(run, roles, functions),
      'AWS::Lambda::EventSourceMapping': eventSourceMappingCreator({
        endpoints: run.endpoints,
        functions,
        mappings,
        note: (line) => run.note(line),
        roles,
      }),
      'AWS::Lambda::EventInvokeConfig': eventInvokeConfigCreator({ functions, asyncInvocations }),
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
  Code: z.strictObject({ S3Bucket: inert, S3Key: z.string() }),
  Handler: z.string(),
  Runtime: z.literal('nodejs24.x'),
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

function functionCreator(run: ServiceRun, roles: RoleRegistry, functions: FunctionRegistry): CreateResource {
  return async (request) => {
    if (isUploader(request.properties)) return { ref: request.logicalId, attributes: { Arn: 'none' } };
    const properties = readProperties(functionSchema, request);
    const codeDirectory = request.stack.assets.get(properties.Code.S3Key);
    if (codeDirectory === undefined)
      throw new TemplateError(`no asset for Code.S3Key ${properties.Code.S3Key}`);
    const reservedConcurrency = properties.ReservedConcurrentExecutions;
    const environment = properties.Environment?.Variables ?? {};
    const logging = properties.LoggingConfig;
    const name = properties.FunctionName ?? physicalName(request, 64);
    const definition: FunctionDefinition = {
      name,
      // The function's own log lines have this name too.
      label: environment.POWERTOOLS_SERVICE_NAME ?? name,
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
    await roles.require(definition, loggingPermissions(logGroup));
    functions.add({ definition, arn, pool: startPool(run, definition) });
    return { ref: definition.name, attributes: { Arn: arn } };
  };
}

/** Returns whether a function is the CDK's own for uploads, in Python: s3/bucket-deployment.ts does its work. */
function isUploader({ Runtime, Layers }: Readonly<Record<string, unknown>>): boolean {
  return String(Runtime).startsWith('python') && Layers !== undefined;
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

const eventInvokeConfigSchema = z.strictObject({
  FunctionName: z.string(),
  MaximumEventAgeInSeconds: wholeNumber
    .min(60)
    .max(21_600)
    .default(defaultAsyncInvokeConfig.maximumEventAgeSeconds),
  MaximumRetryAttempts: wholeNumber.min(0).max(2).default(defaultAsyncInvokeConfig.maximumRetryAttempts),
  Qualifier: inert,
});

/** Configures how a function's asynchronous invocations are retried. */
export function eventInvokeConfigCreator({ functions, asyncInvocations }: LambdaParts): CreateResource {
  return async (request) => {
    const { FunctionName, MaximumEventAgeInSeconds, MaximumRetryAttempts } = readProperties(
      eventInvokeConfigSchema,
      request,
    );
    asyncInvocations.configure(functions.find(FunctionName).definition.name, {
      maximumEventAgeSeconds: MaximumEventAgeInSeconds,
      maximumRetryAttempts: MaximumRetryAttempts,
    });
    return { ref: physicalName(request, 255) };
  };
}
