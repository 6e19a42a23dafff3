import { describe, expect, it } from 'vitest';
import {
  type SecretDocument,
  WebhookSecretError,
} from '../../../../../functions/registration/secret/secret-document.ts';
import { createWebhookSecretStore } from '../../../../../functions/registration/secret/webhook-secret-store.ts';
import { describeWebhookSecretStore } from '../../../../support/suites/webhook-secret-store.ts';
import {
  failingSecretsManager,
  startSecretsManager,
  startWorkingSecretsManager,
} from '../../base/secrets-manager-client.ts';
import { answer } from '../../base/sms-service/scripted-server.ts';

const secretId = 'webhook-secret';
const document: SecretDocument = {
  version: 1,
  current: { secret: 'whsec_c2VjcmV0LXNlY3JldC1vZi1hLXRlc3Q=', since: '2026-01-15T12:00:00.000Z' },
};
const refusal = (type: string) =>
  answer(400, { __type: type, message: 'about whsec_c2VjcmV0LXNlY3JldC1vZi1hLXRlc3Q=' });

describeWebhookSecretStore('Secrets Manager', async () => {
  const { client } = await startWorkingSecretsManager(secretId);
  return createWebhookSecretStore(client, secretId);
});

describe('reading the webhook secret', () => {
  it.each([
    [
      'no permission',
      refusal('AccessDeniedException'),
      'GetSecretValue of webhook-secret: AccessDeniedException',
    ],
    [
      'the secret as plain text',
      answer(200, { SecretString: 'whsec_c2VjcmV0LXNlY3JldC1vZi1hLXRlc3Q=', VersionId: 'version-1' }),
      'The value of webhook-secret is not a secret document: document: expected an object',
    ],
    [
      'bytes',
      answer(200, { SecretBinary: 'd2hzZWM=', VersionId: 'version-1' }),
      'The value of webhook-secret is not a secret document: document: expected an object',
    ],
    [
      'several things',
      answer(200, { SecretString: '{"version":2}', VersionId: 'version-1' }),
      'The value of webhook-secret is not a secret document: version: expected 1; current: expected an object',
    ],
    [
      'no version, so that nothing could replace it',
      answer(200, { SecretString: JSON.stringify(document) }),
      'The value of webhook-secret is not a secret document: it has no version',
    ],
  ])('reports the problem without quoting the secret: %s', async (_, step, message) => {
    const { client } = await startSecretsManager(step);
    await expect(createWebhookSecretStore(client, secretId).read()).rejects.toThrow(
      new WebhookSecretError(message),
    );
  });
});

describe('replacing the webhook secret', () => {
  it('hides a document from readers until its write has succeeded', async () => {
    const { client, calls } = await startSecretsManager(
      answer(200, { VersionId: 'version-2', VersionStages: ['AWSPENDING'] }),
      answer(200, {}),
    );
    const store = createWebhookSecretStore(client, secretId);
    expect(await store.replace(document, 'version-1')).toBe('version-2');
    expect(calls()).toMatchObject([
      {
        call: 'secretsmanager.PutSecretValue',
        input: { SecretId: secretId, SecretString: JSON.stringify(document), VersionStages: ['AWSPENDING'] },
      },
      {
        call: 'secretsmanager.UpdateSecretVersionStage',
        input: {
          SecretId: secretId,
          VersionStage: 'AWSCURRENT',
          RemoveFromVersionId: 'version-1',
          MoveToVersionId: 'version-2',
        },
      },
    ]);
  });

  it('makes the first document current, if Secrets Manager does not by itself', async () => {
    const { client, calls } = await startSecretsManager(
      answer(200, { VersionId: 'version-1', VersionStages: ['AWSPENDING'] }),
      refusal('ResourceNotFoundException'),
      answer(200, {}),
    );
    expect(await createWebhookSecretStore(client, secretId).replace(document, undefined)).toBe('version-1');
    expect(calls().at(-1)?.input).toEqual({
      SecretId: secretId,
      VersionStage: 'AWSCURRENT',
      MoveToVersionId: 'version-1',
    });
  });

  it('treats an empty value as none, and replaces it', async () => {
    const empty = answer(200, { SecretString: '', VersionId: 'version-0' });
    const { client, calls } = await startSecretsManager(
      empty,
      answer(200, { VersionId: 'version-1', VersionStages: ['AWSPENDING'] }),
      empty,
      answer(200, {}),
    );
    const store = createWebhookSecretStore(client, secretId);
    expect(await store.read()).toBeUndefined();
    expect(await store.replace(document, undefined)).toBe('version-1');
    expect(calls().at(-1)?.input).toMatchObject({ RemoveFromVersionId: 'version-0' });
  });

  it.each([
    ['its own version: only the answer was lost', 'version-2', 'version-2'],
    ["another writer's version", 'version-3', undefined],
  ])('reads the labels if a label cannot be moved: %s', async (_, current, expected) => {
    const { client } = await startSecretsManager(
      answer(200, { VersionId: 'version-2', VersionStages: ['AWSPENDING'] }),
      refusal('InvalidParameterException'),
      answer(200, { SecretString: JSON.stringify(document), VersionId: current }),
    );
    expect(await createWebhookSecretStore(client, secretId).replace(document, 'version-1')).toBe(expected);
  });

  it('reads again if the read after a lost answer still shows the replaced version', async () => {
    const shows = (VersionId: string) => answer(200, { SecretString: JSON.stringify(document), VersionId });
    const { client } = await startSecretsManager(
      answer(200, { VersionId: 'version-2', VersionStages: ['AWSPENDING'] }),
      refusal('InvalidParameterException'),
      shows('version-1'),
      shows('version-1'),
      shows('version-2'),
    );
    const pauses: number[] = [];
    const sleep = async (ms: number) => pauses.push(ms);
    const store = createWebhookSecretStore(client, secretId, sleep);
    expect(await store.replace(document, 'version-1')).toBe('version-2');
    expect(pauses).toEqual([200, 400]);
  });

  it.each([
    [
      'the value is not taken',
      [refusal('LimitExceededException')],
      'PutSecretValue of webhook-secret: LimitExceededException',
    ],
    [
      'the label is not moved',
      [answer(200, { VersionId: 'version-2' }), refusal('AccessDeniedException')],
      'UpdateSecretVersionStage of webhook-secret: AccessDeniedException',
    ],
    ['the value gets no version', [answer(200, {})], 'PutSecretValue of webhook-secret: WebhookSecretError'],
  ])('names a failure without the written document: %s', async (_, steps, message) => {
    const { client } = await startSecretsManager(...steps);
    await expect(createWebhookSecretStore(client, secretId).replace(document, 'version-1')).rejects.toThrow(
      new WebhookSecretError(message),
    );
  });
});

it('accepts a failure that is not an Error', async () => {
  const store = createWebhookSecretStore(failingSecretsManager(), secretId);
  await expect(store.read()).rejects.toThrow(
    new WebhookSecretError('GetSecretValue of webhook-secret: unknown'),
  );
  await expect(store.replace(document, undefined)).rejects.toThrow(
    new WebhookSecretError('PutSecretValue of webhook-secret: unknown'),
  );
});
