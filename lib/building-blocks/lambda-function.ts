import { posix } from 'node:path';
import { ArnFormat, Duration, Fn, Stack, Token, Tokenization, Validations } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Effect, Grant, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Function as CdkFunction,
  type FunctionProps,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { omitUndefined } from '../../functions/base/basics.ts';
import { type FunctionName, functionCode } from '../bundling/function-code.ts';
import type { FunctionOptions, PipelineOptions } from '../options/options.ts';
import { acknowledgeWildcard, explainUnusedGrants } from './grants.ts';
import { auditLogGroupProps, logGroupProps } from './log-group-props.ts';
import { OperatorAlarm, type OperatorAlarmProps } from './operator-alarm.ts';
import { sourceAround } from './source-scope.ts';

/** The input that all functions of a pipeline share. */
export interface FunctionContext {
  readonly options: PipelineOptions;
}

/** A number in a function's environment, even if it is known at deployment only. */
export const envNumber = (value: number): string => Tokenization.stringifyNumber(value);

/** A list in a function's environment, even if it is known at deployment only. */
export const envList = (values: readonly string[]): string =>
  Token.isUnresolved(values) ? Fn.join(',', [...values]) : values.join(',');

/** A switch in a function's environment. */
export const onOrOff = (isOn: boolean): 'on' | 'off' => (isOn ? 'on' : 'off');

export interface LambdaFunctionProps extends FunctionContext {
  /** The function's folder in functions/; the last part of the path is its service name in logs and metrics. */
  readonly name: FunctionName;
  readonly description: string;
  readonly memoryMiB: number;
  readonly timeoutSeconds: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Whether its log says who saw whole numbers. */
  readonly isAudited?: boolean;
}

/** A function with its own log group and its own role, which may write to that log group and nothing else. */
export class LambdaFunction extends Construct {
  readonly function: CdkFunction;
  /** The function's service name in logs and metrics, which ends with its source unless that is `main`. */
  readonly service: string;
  readonly logGroup: LogGroup;
  private readonly options: PipelineOptions;

  constructor(scope: Construct, id: string, props: LambdaFunctionProps) {
    super(scope, id);
    const { options } = props;
    const source = sourceAround(this);
    this.service = posix.basename(props.name) + (source === undefined ? '' : `-${source}`);
    this.options = options;
    this.logGroup = new LogGroup(
      this,
      'Logs',
      props.isAudited === true ? auditLogGroupProps(options) : logGroupProps(options.logs),
    );
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.logGroup.grantWrite(role);
    this.function = new CdkFunction(this, 'Function', {
      description: props.description,
      code: functionCode(this, props.name, options.functionSources),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: options.functions.architecture,
      memorySize: Math.max(props.memoryMiB, options.functions.memorySize ?? 0),
      timeout: Duration.seconds(props.timeoutSeconds),
      role,
      ...networkOf(options.functions),
      logGroup: this.logGroup,
      // Only this format lets us choose the levels of Lambda's own lines; the function's own lines are JSON in any format.
      loggingFormat: LoggingFormat.JSON,
      // Lines without a level count as INFO: a higher level would drop the metrics, and with them the alarms.
      applicationLogLevelV2: ApplicationLogLevel.INFO,
      // INFO logs the duration and the memory of each invocation, WARN only those of failed ones.
      systemLogLevelV2: options.logs.invocations ? SystemLogLevel.INFO : SystemLogLevel.WARN,
      ...(options.tracing ? { tracing: Tracing.ACTIVE } : {}),
      environment: {
        POWERTOOLS_SERVICE_NAME: this.service,
        POWERTOOLS_METRICS_NAMESPACE: options.metricsNamespace,
        ...props.environment,
      },
    });
    if (options.functions.vpc !== undefined) this.allowNetworkInterfaces(role);
    if (options.tracing) {
      acknowledgeWildcard(
        role,
        '*',
        'X-Ray has no resources: sending traces and telemetry can be allowed for all of them only.',
      );
      explainUnusedGrants(
        this.function,
        ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'],
        'Lambda itself sends the traces, and no local run has any.',
      );
    } else
      Validations.of(this.function).acknowledge({
        id: 'Serverless-LambdaTracing',
        reason:
          'Off unless tracing (setting sms:tracing) is on: X-Ray is billed per request, and metrics and logs with request ids answer what an operator asks of this function.',
      });
  }

  /** Lets Lambda make the function's network interfaces, as the managed policy AWSLambdaVPCAccessExecutionRole does. */
  private allowNetworkInterfaces(role: Role): void {
    const actions = [
      'ec2:AssignPrivateIpAddresses',
      'ec2:CreateNetworkInterface',
      'ec2:DeleteNetworkInterface',
      'ec2:DescribeNetworkInterfaces',
      'ec2:DescribeSubnets',
      'ec2:UnassignPrivateIpAddresses',
    ];
    Grant.addToPrincipal({ grantee: role, actions, resourceArns: ['*'] });
    // Only calls from the code of a function have this key ("Using source function ARN to control function access behavior", Lambda developer
    // guide). The ARN of this function would be a circular reference, and no other function has the role.
    const ofFunctions = Stack.of(this).formatArn({
      service: 'lambda',
      resource: 'function',
      resourceName: '*',
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    role.addToPrincipalPolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        actions,
        resources: ['*'],
        conditions: { ArnLike: { 'lambda:SourceFunctionArn': ofFunctions } },
      }),
    );
    acknowledgeWildcard(
      role,
      '*',
      "Lambda makes the network interfaces of a function in a VPC with the function's role, and asks for these rights on all resources.",
    );
    explainUnusedGrants(this.function, actions, 'Lambda itself uses them, and no local run has a VPC.');
  }

  /** The maximum in five minutes of something the function measures itself. */
  metricMeasured(metricName: string): Metric {
    return this.ownMetric(metricName, 'Maximum');
  }

  /** Something the function counts itself (functions/base/metrics.ts), summed over five minutes. */
  metricCounted(metricName: string): Metric {
    return this.ownMetric(metricName, 'Sum');
  }

  private ownMetric(metricName: string, statistic: string): Metric {
    return new Metric({
      namespace: this.options.metricsNamespace,
      dimensionsMap: { service: this.service },
      metricName,
      period: Duration.minutes(5),
      statistic,
    });
  }

  protected addAlarm(id: string, props: Omit<OperatorAlarmProps, 'alarms' | 'logGroup'>): void {
    new OperatorAlarm(this, id, { ...props, logGroup: this.logGroup, alarms: this.options.alarms });
  }
}

function networkOf({ vpc, subnets, securityGroups }: FunctionOptions): Partial<FunctionProps> {
  if (vpc === undefined) return {};
  return omitUndefined({
    vpc,
    vpcSubnets: subnets,
    securityGroups: securityGroups && [...securityGroups],
  });
}
