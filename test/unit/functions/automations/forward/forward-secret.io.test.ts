import { expect, it } from 'vitest';
import {
  ForwardSecretError,
  readForwardSecret,
} from '../../../../../functions/automations/forward/signing-secret-store.ts';
import { failingSecretsManager, startSecretsManager } from '../../base/secrets-manager-client.ts';
import { answer } from '../../base/sms-service/scripted-server.ts';

const secretId = 'forward-secret';
const secret = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

it('forwarding reads its secret', async () => {
  const { client, calls } = await startSecretsManager(
    answer(200, { SecretString: JSON.stringify({ secret }) }),
  );
  expect(await readForwardSecret(client, secretId)).toBe(`whsec_${secret}`);
  expect(calls()).toEqual([{ call: 'secretsmanager.GetSecretValue', input: { SecretId: secretId } }]);
});

it.each([[secret], ['{}'], [undefined]])(
  'forwarding rejects the secret %j, and does not quote it',
  async (SecretString) => {
    const { client } = await startSecretsManager(answer(200, { SecretString }));
    const attempt = readForwardSecret(client, secretId);
    await expect(attempt).rejects.toBeInstanceOf(ForwardSecretError);
    await expect(attempt).rejects.not.toThrow(secret);
  },
);

it('forwarding names any other failure of its secret, without quoting it', async () => {
  const { client } = await startSecretsManager(
    answer(400, { __type: 'AccessDeniedException', message: 'about a person' }),
  );
  await expect(readForwardSecret(client, secretId)).rejects.toThrow(
    new ForwardSecretError('GetSecretValue of forward-secret: AccessDeniedException'),
  );
  await expect(readForwardSecret(failingSecretsManager(), secretId)).rejects.toThrow(
    'GetSecretValue of forward-secret: unknown',
  );
});
