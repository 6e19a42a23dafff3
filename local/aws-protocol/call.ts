/** The region of everything on this machine. */
export const REGION = 'us-east-1';

/** The account of everything on this machine. */
export const ACCOUNT = '000000000000';

/** The settings that all SDK clients of local services share. */
export function localClient(endpoint: string, accessKeyId = 'local') {
  return { endpoint, region: REGION, credentials: { accessKeyId, secretAccessKey: 'local' } };
}

/** The ARN of a local resource, for example `arnOf('sqs', 'events')`. */
export function arnOf(service: string, resource: string): string {
  return `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;
}

/** A permission that a call needs: one action on one resource. */
export interface Permission {
  /** For example `dynamodb:GetItem`. */
  readonly action: string;
  /** An ARN, or `*` for actions without resources. */
  readonly resource: string;
  /** The values of condition keys, for example of `events:source`. */
  readonly context?: Readonly<Record<string, string | string[]>>;
}

/** A request to an AWS service, as HTTP carries it. */
export interface AwsRequest {
  readonly method: string;
  /** With the query, if there is one. */
  readonly url: string;
  /** `X-Amz-Target`, for the protocols that use it. */
  readonly target: string | undefined;
  readonly contentType: string | undefined;
}

/** One machine does not have a call, or does not know its permissions. */
export class UnknownCallError extends Error {
  override readonly name = 'UnknownCallError';

  constructor(call: string) {
    super(
      `one machine does not have the call ${call}, or does not know its permissions (local/services/<service>/service.ts)`,
    );
  }
}
