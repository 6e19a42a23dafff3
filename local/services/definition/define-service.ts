import type { AwsAnswers } from '../../aws-protocol/aws-endpoint.ts';
import type { AwsRequest, Permission } from '../../aws-protocol/call.ts';
import type { CreateResource } from '../../cloudformation/deploy-stack.ts';
import type { ServiceEndpoints } from '../../function-hosts/environment.ts';
import type { CallerAccess } from '../../iam/caller.ts';
import type { RunningProcesses } from '../../processes/run-record.ts';

/** The five ports of a run. */
export interface Ports {
  readonly httpApi: number;
  readonly smsService: number;
  readonly dynamodb: number;
  readonly sqs: number;
  /** The port that the services without a process of their own share. */
  readonly aws: number;
}

/** Why a service does not do what a call asks for. */
export type ErrorKind = 'refuse' | 'throttle' | 'fail';

/** The status and the name of a service's errors, from its API reference, common errors included. */
export type ServiceErrors = Readonly<Record<ErrorKind, { readonly status: number; readonly name: string }>>;

/** How a service writes an error into its answer. */
export type ErrorFormat = 'json-1.0' | 'json-1.0-query-error' | 'json-1.1' | 'query-xml' | 'rest-json';

/** A function's call of a service. */
export interface ServiceCall {
  /** For example `SendMessageBatch`. */
  readonly operation: string;
  readonly request: AwsRequest;
  readonly body: Buffer;
  /** Resolves to a secret's whole ARN, with its random ending, for its name or its ARN. */
  readonly secretArnOf: (secretId: string) => Promise<string>;
}

/**
 * A service that functions call, and how the gateway reads and answers the calls. The gateway's process loads every definition: a definition
 * imports neither an AWS SDK nor what runs the service.
 */
export interface ServiceDefinition {
  /** The prefix of the service's IAM actions, for example `dynamodb`. Faults and call counts name the service by it. */
  readonly name: string;
  /** Functions find the service by `AWS_ENDPOINT_URL_<variable>`, which names this port. */
  readonly endpoint: { readonly variable: string; readonly port: keyof Ports };
  /** The prefixes of the operation in `X-Amz-Target`. */
  readonly targets?: readonly string[];
  /** The operation of a request without `X-Amz-Target`; undefined if the request is for another service. */
  operationOf?(request: AwsRequest, body: Buffer): string | undefined;
  /**
   * The permissions that a call needs, all of them.
   * @throws UnknownCallError for an operation that is not listed
   * @throws ZodError, SyntaxError for a body that does not name the resource
   */
  permissions(call: ServiceCall): readonly Permission[] | Promise<readonly Permission[]>;
  readonly errors: ServiceErrors;
  readonly errorFormat: ErrorFormat;
}

export function defineService(definition: ServiceDefinition): ServiceDefinition {
  return definition;
}

/** @throws SyntaxError */
export function jsonOf(body: Buffer): unknown {
  return JSON.parse(body.toString('utf8'));
}

export function formOf(body: Buffer): URLSearchParams {
  return new URLSearchParams(body.toString('utf8'));
}

/** The run that services are started for. */
export interface ServiceRun {
  readonly runId: string;
  /** Folder of the logs of processes and functions. */
  readonly logDirectory: string;
  /** Folder in which tables stay for the next run. Without it they are in memory. */
  readonly tablesDirectory: string | undefined;
  /** The access key id of the tables, which the gateway puts into each call of DynamoDB. */
  readonly tablesAccessKeyId: string;
  /** The command that runs Java. */
  readonly java: string;
  /** The ports that callers use; behind all but the HTTP API's listens the gateway. */
  readonly ports: Ports;
  /** The ports behind the gateway. */
  readonly servicePorts: { readonly dynamodb: number; readonly sqs: number };
  readonly endpoints: ServiceEndpoints;
  readonly access: CallerAccess;
  readonly processes: RunningProcesses;
  /** Shows a line at the terminal. */
  note(line: string): void;
  /** Records a process of a service as soon as it is started. The run ends when the process ends. */
  onProcess(started: StartedProcess): void;
}

export interface StartedProcess {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  readonly exited: Promise<void>;
}

/** A service that has been started. */
export interface RunningService extends AwsAnswers {
  /** How the resource types of the templates are made. */
  readonly resources?: Readonly<Record<string, CreateResource>>;
  /** Resource types that have no effect on one machine. */
  readonly inertTypes?: readonly string[];
  /** Resolves when the service answers. */
  readonly ready?: Promise<unknown>;
  /** The terminal shows this line when the service answers. */
  readonly announcement?: string;
  /** Stops what the service does by itself, for example polling. */
  stop?(): void;
}
