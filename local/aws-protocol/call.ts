/** Region that everything on this machine says it is in. */
export const REGION = 'us-east-1';

/** Account that everything on this machine says it belongs to. */
export const ACCOUNT = '000000000000';

/** The ARN of a local resource, for example `arnOf('sqs', 'events')`. */
export function arnOf(service: string, resource: string): string {
  return `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;
}

/** The AWS services that answer behind the gateway, by the prefix of their actions. */
export type Service = 'dynamodb' | 'events' | 'lambda' | 'secretsmanager' | 'sns' | 'sqs';

/** What a call needs to be allowed: one action on one resource. */
export interface Permission {
  /** For example `dynamodb:GetItem`. */
  readonly action: string;
  /** An ARN, or `*` for actions that know no resources. */
  readonly resource: string;
  /** Values of condition keys, for example of `events:source`. */
  readonly context?: Readonly<Record<string, string>>;
}

/** A call to an AWS service, as far as permissions go. All of its permissions are needed. */
export interface Call {
  readonly service: Service;
  /** As the service's API calls it, for example `SendMessageBatch`. */
  readonly operation: string;
  readonly permissions: readonly Permission[];
}

/** A call of which nobody said here which permissions it needs; the message says where to say it. */
export class UnknownCallError extends Error {
  override readonly name = 'UnknownCallError';

  /** @param file in local/gateway/calls/ */
  constructor(what: string, file: string) {
    super(
      `the local gateway does not know which permissions ${what} needs: add it to local/gateway/calls/${file}`,
    );
  }
}
