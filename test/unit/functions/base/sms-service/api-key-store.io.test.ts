import { expect, it } from 'vitest';
import { readApiKey } from '../../../../../functions/base/sms-service/api-key-store.ts';
import { startSecretsManager } from '../secrets-manager-client.ts';
import { answer } from './scripted-server.ts';

const secretId = 'sms-pipeline/api-key';

it('the API key store reads the key, without the line end that a file or a shell added', async () => {
  const { client, calls } = await startSecretsManager(answer(200, { SecretString: ' the key \n' }));
  expect(await readApiKey(client, secretId)).toEqual({ kind: 'ok', value: 'the key' });
  expect(calls()).toEqual([{ call: 'secretsmanager.GetSecretValue', input: { SecretId: secretId } }]);
});

it.each([
  ['does not exist or has no value', answer(400, { __type: 'ResourceNotFoundException', message: '' })],
  ['is empty', answer(200, { SecretString: '\n' })],
  ['is empty', answer(200, { SecretBinary: 'AAAA' })],
])('the API key store says how to create a key that %s', async (what, step) => {
  const { client } = await startSecretsManager(step);
  expect(await readApiKey(client, secretId)).toEqual({
    kind: 'error',
    error: {
      kind: 'api-key-missing',
      message: [
        `The secret ${secretId} with the API key of the SMS service ${what}.`,
        `Create it: aws secretsmanager create-secret --name ${secretId} --secret-string file://key.txt`,
        `(if it exists: aws secretsmanager put-secret-value --secret-id ${secretId} --secret-string file://key.txt)`,
      ].join(' '),
    },
  });
});

it('the API key store names any other failure', async () => {
  const { client } = await startSecretsManager(answer(400, { __type: 'AccessDeniedException', message: '' }));
  expect(await readApiKey(client, secretId)).toEqual({
    kind: 'error',
    error: {
      kind: 'api-key-unreadable',
      message: 'GetSecretValue of sms-pipeline/api-key: AccessDeniedException',
    },
  });
});
