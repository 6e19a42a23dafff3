import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { errorName } from '../basics.ts';
import { err, ok, type Result } from './request.ts';

/** Why there is no API key; the message says what to do. */
interface ApiKeyError {
  readonly kind: 'api-key-missing' | 'api-key-unreadable';
  readonly message: string;
}

export type ApiKeyResult = Result<string, ApiKeyError>;

/**
 * Reads the API key of the SMS service: the secret's plain text without white space around it.
 * It exists before the first deployment, and the pipeline never writes it.
 */
export async function readApiKey(client: SecretsManagerClient, secretId: string): Promise<ApiKeyResult> {
  try {
    const { SecretString: text = '' } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
    const apiKey = text.trim();
    return apiKey === '' ? missing(secretId, 'is empty') : ok(apiKey);
  } catch (error) {
    if (error instanceof ResourceNotFoundException)
      return missing(secretId, 'does not exist or has no value');
    const message = `GetSecretValue of ${secretId}: ${errorName(error)}`;
    return err({ kind: 'api-key-unreadable', message });
  }
}

function missing(secretId: string, what: string): ApiKeyResult {
  const message = [
    `The secret ${secretId} with the API key of the SMS service ${what}.`,
    `Create it: aws secretsmanager create-secret --name ${secretId} --secret-string file://key.txt`,
    `(if it exists: aws secretsmanager put-secret-value --secret-id ${secretId} --secret-string file://key.txt)`,
  ].join(' ');
  return err({ kind: 'api-key-missing', message });
}
