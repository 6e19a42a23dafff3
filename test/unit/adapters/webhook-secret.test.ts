import { describe, expect, it } from 'vitest';
import { createWebhookSecretStore, WebhookSecretError } from '../../../functions/adapters/webhook-secret.ts';
import type { SecretDocument } from '../../../functions/core/webhook/secret-document.ts';
import { failingSecretsManager, startSecretsManager } from './secrets-manager-client.ts';
import { answer } from './sms-service/scripted-server.ts';

const document: SecretDocument = {
  version: 1,
  current: { secret: 'whsec_c2VjcmV0', since: '2026-01-15T12:00:00.000Z' },
};
const refusal = (type: string, status = 400) =>
  answer(status, { __type: type, message: 'about whsec_c2VjcmV0' });

describe('reading', () => {
  it('reads the document', async () => {
    const { client, calls } = await startSecretsManager(
      answer(200, { SecretString: JSON.stringify(document) }),
    );
    expect(await createWebhookSecretStore(client, 'webhook-secret').read()).toEqual(document);
    expect(calls()).toEqual([
      { call: 'secretsmanager.GetSecretValue', input: { SecretId: 'webhook-secret' } },
    ]);
  });

  it('finds nothing while the secret has no value', async () => {
    const { client } = await startSecretsManager(refusal('ResourceNotFoundException'));
    expect(await createWebhookSecretStore(client, 'webhook-secret').read()).toBeUndefined();
  });

  it.each([
    [
      'no permission',
      refusal('AccessDeniedException'),
      'GetSecretValue of webhook-secret: AccessDeniedException',
    ],
    [
      'an outage',
      refusal('InternalServiceError', 500),
      'GetSecretValue of webhook-secret: InternalServiceError',
    ],
    [
      'the secret as plain text',
      answer(200, { SecretString: 'whsec_c2VjcmV0' }),
      'The value of webhook-secret is no secret document: document: expected an object',
    ],
    [
      'bytes',
      answer(200, { SecretBinary: 'd2hzZWM=' }),
      'The value of webhook-secret is no secret document: document: expected an object',
    ],
    [
      'a document that is not whole',
      answer(200, { SecretString: '{"version":1,"current":{"secret":"whsec_c2VjcmV0"}}' }),
      'The value of webhook-secret is no secret document: current.since: expected a time like 2026-01-15T12:00:00.000Z',
    ],
  ])('says what is wrong, not what it holds: %s', async (_, step, message) => {
    const { client } = await startSecretsManager(step);
    await expect(createWebhookSecretStore(client, 'webhook-secret').read()).rejects.toThrow(
      new WebhookSecretError(message),
    );
  });
});

describe('writing', () => {
  it('writes the document as the current version', async () => {
    const { client, calls } = await startSecretsManager(answer(200, {}));
    await createWebhookSecretStore(client, 'webhook-secret').write(document);
    const [written] = calls();
    expect(written).toMatchObject({
      call: 'secretsmanager.PutSecretValue',
      input: { SecretId: 'webhook-secret', SecretString: JSON.stringify(document) },
    });
  });

  it('names a failure without what was written', async () => {
    const { client } = await startSecretsManager(refusal('LimitExceededException'));
    await expect(createWebhookSecretStore(client, 'webhook-secret').write(document)).rejects.toThrow(
      new WebhookSecretError('PutSecretValue of webhook-secret: LimitExceededException'),
    );
  });
});

it('survives what is no error', async () => {
  const store = createWebhookSecretStore(failingSecretsManager(), 'webhook-secret');
  await expect(store.read()).rejects.toThrow(
    new WebhookSecretError('GetSecretValue of webhook-secret: failed'),
  );
});
