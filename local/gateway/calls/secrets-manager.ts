import { z } from 'zod';
import { type Permission, UnknownCallError } from '../call.ts';

const secret = z.object({ SecretId: z.string() });

/** Operations that need the action of their name, on their secret. */
const ON_SECRET = new Set([
  'DescribeSecret',
  'GetSecretValue',
  'ListSecretVersionIds',
  'PutSecretValue',
  'UpdateSecretVersionStage',
]);

/** Gives a secret's whole ARN, with its random ending, for its name or its ARN. */
export type SecretArnOf = (secretId: string) => Promise<string>;

/**
 * @param operation what follows `secretsmanager.` in `X-Amz-Target`
 * @throws UnknownCallError
 * @throws ZodError for an input that names no secret
 */
export async function secretsManagerPermissions(
  operation: string,
  input: unknown,
  secretArnOf: SecretArnOf,
): Promise<Permission[]> {
  const action = `secretsmanager:${operation}`;
  if (!ON_SECRET.has(operation)) throw new UnknownCallError(action, 'secrets-manager.ts');
  return [{ action, resource: await secretArnOf(secret.parse(input).SecretId) }];
}
