import { join, posix } from 'node:path';
import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  Function as CdkFunction,
  Code,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Settings } from '../settings/read-settings.ts';
import { acknowledgeWildcard, explainUnusedGrants } from './grants.ts';

/** What all functions of a stack share. */
export interface FunctionDefaults {
  /** Folder with a bundle a function, `<bundles>/<name>`: index.js, or index.mjs and handler.js where a start awaits something. */
  readonly bundles: string;
  readonly logRetentionDays: number;
  readonly metricsNamespace: string;
  /** Whether Lambda sends traces to X-Ray. */
  readonly isTraced: boolean;
  /** Whether Lambda logs the duration and the memory of each invocation, and not only of those that failed. */
  readonly logsInvocations: boolean;
}

/** @param bundles as {@link FunctionDefaults} has it */
export function functionDefaults(
  { logRetentionDays, stackPrefix, tracing, invocationLogs }: Settings,
  bundles: string,
): FunctionDefaults {
  return {
    bundles,
    logRetentionDays,
    metricsNamespace: stackPrefix,
    isTraced: tracing === 'on',
    logsInvocations: invocationLogs === 'on',
  };
}

export interface LambdaFunctionProps extends FunctionDefaults {
  /** The function's folder in functions/; the last part of the path is its service name in logs and metrics. */
  readonly name: string;
  readonly description: string;
  readonly memoryMiB: number;
  readonly timeoutSeconds: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Invocations at once that are kept for it, and the most it gets; 0 or not given: as many as the account has left. */
  readonly reservedConcurrency?: number;
}

/** A function with its own log group and its own role, which may write to that log group and nothing else. */
export class LambdaFunction extends Construct {
  readonly function: CdkFunction;
  /** Its service name in logs and metrics. */
  readonly service: string;
  private readonly counters: {
    readonly namespace: string;
    readonly dimensionsMap: { readonly service: string };
  };

  constructor(scope: Construct, id: string, props: LambdaFunctionProps) {
    super(scope, id);
    this.service = posix.basename(props.name);
    this.counters = { namespace: props.metricsNamespace, dimensionsMap: { service: this.service } };
    const logGroup = new LogGroup(this, 'Logs', {
      retention: props.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    this.function = new CdkFunction(this, 'Function', {
      description: props.description,
      code: Code.fromAsset(join(props.bundles, props.name)),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMiB,
      timeout: Duration.seconds(props.timeoutSeconds),
      role,
      logGroup,
      // The levels of Lambda's own lines can be chosen in this format alone; those of the function are JSON as they are.
      loggingFormat: LoggingFormat.JSON,
      // Lines without a level count as INFO: above that, metrics would be gone and no alarm would tell.
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      systemLogLevelV2: props.logsInvocations ? SystemLogLevel.INFO : SystemLogLevel.WARN,
      ...(props.isTraced ? { tracing: Tracing.ACTIVE } : {}),
      ...(props.reservedConcurrency ? { reservedConcurrentExecutions: props.reservedConcurrency } : {}),
      environment: {
        POWERTOOLS_SERVICE_NAME: this.service,
        POWERTOOLS_METRICS_NAMESPACE: props.metricsNamespace,
        ...props.environment,
      },
    });
    if (props.isTraced) {
      acknowledgeWildcard(
        role,
        '*',
        'X-Ray knows no resources: sending traces and telemetry can be allowed for all of them alone.',
      );
      explainUnusedGrants(
        this.function,
        ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'],
        'Lambda itself sends the traces, and none on one machine.',
      );
    } else
      Validations.of(this.function).acknowledge({
        id: 'Serverless-LambdaTracing',
        reason:
          'Off unless sms:tracing says so: X-Ray is billed per request, and metrics and logs with request ids answer what an operator asks of this function.',
      });
  }

  /** The largest value in five minutes of something the function measures itself. */
  metricMeasured(metricName: string): Metric {
    return new Metric({ ...this.counters, metricName, period: Duration.minutes(5), statistic: 'Maximum' });
  }

  /** Something the function counts itself (functions/runtime/instrumentation.ts), summed over five minutes. */
  metricCounted(metricName: string): Metric {
    return new Metric({ ...this.counters, metricName, period: Duration.minutes(5), statistic: 'Sum' });
  }
}
