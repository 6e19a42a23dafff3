import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

/** The account's API key, or in words for people why there is none and what to do. */
export type ApiKeyOutcome =
  | { readonly ok: true; readonly apiKey: string }
  | { readonly ok: false; readonly kind: 'api-key-missing' | 'api-key-unreadable'; readonly message: string };

/**
 * Reads the API key of the SMS service: the secret's plain text, white space around it left out.
 * It exists before the first deployment and is never written by us.
 */
export async function readApiKey(client: SecretsManagerClient, secretId: string): Promise<ApiKeyOutcome> {
  try {
    const { SecretString: text = '' } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
    const apiKey = text.trim();
    return apiKey === '' ? missing(secretId, 'is empty') : { ok: true, apiKey };
  } catch (error) {
    if (error instanceof ResourceNotFoundException)
      return missing(secretId, 'does not exist or has no value');
    const reason = error instanceof Error ? error.name : 'failed';
    return { ok: false, kind: 'api-key-unreadable', message: `GetSecretValue of ${secretId}: ${reason}` };
  }
}

function missing(secretId: string, what: string): ApiKeyOutcome {
  const message = [
    `The secret ${secretId} with the API key of the SMS service ${what}.`,
    `Create it: aws secretsmanager create-secret --name ${secretId} --secret-string <key>`,
    `(if it exists: aws secretsmanager put-secret-value --secret-id ${secretId} --secret-string <key>)`,
  ].join(' ');
  return { ok: false, kind: 'api-key-missing', message };
}
