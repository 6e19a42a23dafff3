import { availableParallelism } from 'node:os';
import { REGION } from '../aws-protocol/call.ts';

/** The properties of a function in its template, as far as its processes need them. */
export interface FunctionDefinition {
  readonly name: string;
  /** The name of its logs and processes. */
  readonly label: string;
  /** The local services recognize their caller by it. Each function has its own. */
  readonly accessKeyId: string;
  /** Folder of the unpacked code asset. */
  readonly codeDirectory: string;
  /** For example `index.handler`. */
  readonly handler: string;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  readonly environment: Readonly<Record<string, string>>;
  /** `ReservedConcurrentExecutions`, when declared. */
  readonly reservedConcurrency?: number;
  /** `LoggingConfig`, if the template chooses JSON. */
  readonly jsonLogs?: { readonly applicationLevel: string };
}

/** Base URLs of the services on this machine, by the service's name in `AWS_ENDPOINT_URL_<SERVICE>`. */
export type ServiceEndpoints = Readonly<Record<string, string>>;

/**
 * Returns the whole environment of a function's process: the variables of its template, those that Lambda sets, and the endpoints of the AWS
 * services on this machine. It contains no variable of this process.
 */
export function hostEnvironment(
  definition: FunctionDefinition,
  endpoints: ServiceEndpoints,
): Record<string, string> {
  const endpointVariables = Object.entries(endpoints).map(([service, url]) => [
    `AWS_ENDPOINT_URL_${service}`,
    url,
  ]);
  return {
    ...definition.environment,
    // A call to a service without an endpoint of its own is denied here. It must not reach AWS.
    ...(endpoints.LAMBDA !== undefined && { AWS_ENDPOINT_URL: endpoints.LAMBDA }),
    ...Object.fromEntries(endpointVariables),
    AWS_ACCESS_KEY_ID: definition.accessKeyId,
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: 'local',
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: definition.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(definition.memoryMegabytes),
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${definition.name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    ...(definition.jsonLogs && {
      AWS_LAMBDA_LOG_FORMAT: 'JSON',
      AWS_LAMBDA_LOG_LEVEL: definition.jsonLogs.applicationLevel,
    }),
    // Our bundles read no files (docs/adr/0005). The whole SDK, which the cold-start bench compares, would read ~/.aws of the person who runs this.
    AWS_CONFIG_FILE: '/nonexistent',
    AWS_SHARED_CREDENTIALS_FILE: '/nonexistent',
    LAMBDA_TASK_ROOT: definition.codeDirectory,
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    _HANDLER: definition.handler,
  };
}

/**
 * The maximum number of processes of a function. A host waits for the network most of the time, so more hosts than cores pay off. Each costs
 * about 60 MB.
 */
export function hostLimit(definition: FunctionDefinition): number {
  const limit = Math.min(8, Math.max(2, 2 * availableParallelism()));
  return Math.min(limit, definition.reservedConcurrency ?? limit);
}
