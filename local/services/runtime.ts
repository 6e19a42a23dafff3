import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SNSClient } from '@aws-sdk/client-sns';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { ServiceEndpoints } from '../function-hosts/environment.ts';
import type { HostLimits } from '../function-hosts/host-limits.ts';
import type { RunningProcesses } from '../processes/run-record.ts';
import type { HttpApi } from './api-gateway/api.ts';
import type { LogMetrics } from './cloudwatch-logs/api.ts';
import type { ResponseInbox } from './custom-resources/responses.ts';
import type { EventBridge } from './event-bridge/api.ts';
import type { RoleRegistry } from './iam/roles.ts';
import type { EventSourceMapping } from './lambda/event-sources/queue-mapping.ts';
import type { AsyncInvocations, FunctionRegistry } from './lambda/functions.ts';
import type { SecretsManager } from './secrets-manager/api.ts';

/** Something that runs at a rate. */
export interface Schedule {
  stop(): void;
}

/** The services of this machine, in which the resources of the templates are made. */
export interface Runtime {
  readonly runId: string;
  readonly dynamodb: DynamoDBClient;
  readonly sqs: SQSClient;
  readonly sns: SNSClient;
  readonly secrets: SecretsManager;
  readonly eventBridge: EventBridge;
  readonly functions: FunctionRegistry;
  readonly hostLimits: HostLimits;
  readonly roles: RoleRegistry;
  readonly asyncInvocations: AsyncInvocations;
  readonly responses: ResponseInbox;
  readonly httpApi: HttpApi;
  readonly logMetrics: LogMetrics;
  /** Base URL of the HTTP API, without a slash at its end. */
  readonly httpApiUrl: string;
  /** Where functions find the services. */
  readonly endpoints: ServiceEndpoints;
  /** Folder of the functions' logs. */
  readonly logDirectory: string;
  /** Event source mappings are added here when they start. */
  readonly mappings: EventSourceMapping[];
  /** Schedules are added here when they start. */
  readonly schedules: Schedule[];
  readonly processes: RunningProcesses;
  /** Tells the person at the terminal something in one line. */
  note(line: string): void;
}
