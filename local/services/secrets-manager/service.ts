import { request as startRequest } from 'node:http';
import * as z from 'zod';
import { arnOf, type Permission, UnknownCallError } from '../../aws-protocol/call.ts';
import { readBody } from '../../aws-protocol/http.ts';
import { defineService, jsonOf, type ServiceCall } from '../definition/define-service.ts';

export const secretsManager = defineService({
  name: 'secretsmanager',
  endpoint: { variable: 'SECRETS_MANAGER', port: 'aws' },
  targets: ['secretsmanager'],
  permissions: ({ operation, body, secretArnOf }) => permissionsOf(operation, jsonOf(body), secretArnOf),
  errors: {
    refuse: { status: 400, name: 'AccessDeniedException' },
    throttle: { status: 400, name: 'ThrottlingException' },
    fail: { status: 500, name: 'InternalServiceError' },
  },
  errorFormat: 'json-1.1',
});

const secret = z.object({ SecretId: z.string() });

/** Operations that need the action of their name, on their secret. */
const ON_SECRET = new Set([
  'DescribeSecret',
  'GetSecretValue',
  'ListSecretVersionIds',
  'PutSecretValue',
  'UpdateSecretVersionStage',
]);

/**
 * @param operation what follows `secretsmanager.` in `X-Amz-Target`
 * @throws UnknownCallError
 * @throws ZodError for an input that names no secret
 */
async function permissionsOf(
  operation: string,
  input: unknown,
  secretArnOf: ServiceCall['secretArnOf'],
): Promise<Permission[]> {
  const action = `secretsmanager:${operation}`;
  if (!ON_SECRET.has(operation)) throw new UnknownCallError(action);
  return [{ action, resource: await secretArnOf(secret.parse(input).SecretId) }];
}

const MAX_BYTES = 64 * 1024;

const answerSchema = z.object({ ARN: z.string() });

/** Asks Secrets Manager once for the ARN of each secret. */
export function secretArns(port: number): ServiceCall['secretArnOf'] {
  const cached = new Map<string, string>();
  return async (secretId) => {
    const arn = cached.get(secretId) ?? (await describe(port, secretId));
    if (arn !== undefined) cached.set(secretId, arn);
    return arn ?? unknownArn(secretId);
  };
}

async function describe(port: number, SecretId: string): Promise<string | undefined> {
  const headers = {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': 'secretsmanager.DescribeSecret',
  };
  const sent = startRequest({ host: '127.0.0.1', port, method: 'POST', path: '/', headers });
  const answered = new Promise<Buffer | undefined>((resolve, reject) => {
    sent.on('response', (answer) => readBody(answer, MAX_BYTES).then(resolve, reject));
    sent.on('error', reject);
  });
  sent.end(JSON.stringify({ SecretId }));
  const body = await answered;
  return body && answerSchema.safeParse(JSON.parse(body.toString('utf8'))).data?.ARN;
}

/** The ARN of a secret that does not exist. Only callers with a permission for its name may learn that it does not exist. */
function unknownArn(secretId: string): string {
  return secretId.startsWith('arn:') ? secretId : arnOf('secretsmanager', `secret:${secretId}-??????`);
}
