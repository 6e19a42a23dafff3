/** Region that everything on this machine says it is in. */
export const REGION = 'us-east-1';

/** Account that everything on this machine says it belongs to. */
export const ACCOUNT = '000000000000';

/** The ARN of a local resource, for example `arnOf('sqs', 'events')`. */
export function arnOf(service: string, resource: string): string {
  return `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;
}
