import { SecretsManager as SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { describe, expect, it } from 'vitest';
import { handleAwsJson } from '../../../../../local/aws-protocol/aws-json.ts';
import { SecretsManager } from '../../../../../local/services/secrets-manager/api.ts';
import { inMemoryClient } from '../../../../support/in-memory-http.ts';

const TOKEN_1 = '00000000-0000-4000-8000-000000000001';
const TOKEN_2 = '00000000-0000-4000-8000-000000000002';

const secrets = new SecretsManager(() => 1_700_000_000);
const operations = new Map(
  [...secrets.operations].map(([name, operation]) => [`secretsmanager.${name}`, operation] as const),
);
const client = new SecretsManagerClient(
  inMemoryClient((request, response) => void handleAwsJson(operations, request, response)),
);

describe('the Secrets Manager stand-in, through the AWS SDK', () => {
  it('finds a secret by name, by ARN and by ARN without its random ending', async () => {
    const { ARN = '' } = await client.createSecret({ Name: 'team/key', SecretString: 'value' });
    expect(ARN).toMatch(/^arn:aws:secretsmanager:us-east-1:000000000000:secret:team\/key-.{6}$/);
    for (const SecretId of ['team/key', ARN, ARN.slice(0, -7)]) {
      const answer = await client.getSecretValue({ SecretId });
      expect(answer).toMatchObject({
        SecretString: 'value',
        Name: 'team/key',
        VersionStages: ['AWSCURRENT'],
      });
    }
  });

  it('answers the error of AWS for a secret without a value', async () => {
    await client.createSecret({ Name: 'empty', Description: 'no value yet' });
    await expect(client.getSecretValue({ SecretId: 'empty' })).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: "Secrets Manager can't find the specified secret value for staging label: AWSCURRENT",
    });
    const described = await client.describeSecret({ SecretId: 'empty' });
    expect(described.VersionIdsToStages).toBeUndefined();
    expect(described.CreatedDate).toEqual(new Date(1_700_000_000_000));
  });

  it('answers the error of AWS for a missing secret, and for a second one of the same name', async () => {
    await expect(client.getSecretValue({ SecretId: 'missing' })).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: "Secrets Manager can't find the specified secret.",
    });
    const twice = { Name: 'twice' };
    await client.createSecret(twice);
    await expect(client.createSecret(twice)).rejects.toMatchObject({ name: 'ResourceExistsException' });
  });

  it('moves AWSCURRENT to a new version and AWSPREVIOUS to the one before', async () => {
    await client.createSecret({ Name: 'moves', SecretString: 'a', ClientRequestToken: TOKEN_1 });
    await client.putSecretValue({ SecretId: 'moves', SecretString: 'b', ClientRequestToken: TOKEN_2 });
    await client.putSecretValue({ SecretId: 'moves', SecretString: 'c' });
    const current = await client.getSecretValue({ SecretId: 'moves' });
    const previous = await client.getSecretValue({ SecretId: 'moves', VersionStage: 'AWSPREVIOUS' });
    expect([current.SecretString, previous.SecretString, previous.VersionId]).toEqual(['c', 'b', TOKEN_2]);
    const { Versions } = await client.listSecretVersionIds({ SecretId: 'moves', IncludeDeprecated: true });
    expect(Versions?.find(({ VersionId }) => VersionId === TOKEN_1)?.VersionStages).toEqual([]);
  });

  it('accepts a repeated token with the same value, and rejects it with another value', async () => {
    await client.createSecret({ Name: 'idempotent' });
    const put = { SecretId: 'idempotent', ClientRequestToken: TOKEN_1 };
    const first = await client.putSecretValue({ ...put, SecretString: 'a' });
    const second = await client.putSecretValue({ ...put, SecretString: 'a' });
    expect(second.VersionId).toBe(first.VersionId);
    await expect(client.putSecretValue({ ...put, SecretString: 'b' })).rejects.toMatchObject({
      name: 'ResourceExistsException',
    });
    const { SecretString } = await client.getSecretValue({ SecretId: 'idempotent' });
    expect(SecretString).toBe('a');
  });

  it('leaves AWSCURRENT alone when other labels are asked for, until the stage is moved', async () => {
    await client.createSecret({ Name: 'pending', SecretString: 'a', ClientRequestToken: TOKEN_1 });
    await client.putSecretValue({
      SecretId: 'pending',
      SecretString: 'b',
      ClientRequestToken: TOKEN_2,
      VersionStages: ['AWSPENDING'],
    });
    expect((await client.getSecretValue({ SecretId: 'pending' })).SecretString).toBe('a');
    const move = { SecretId: 'pending', VersionStage: 'AWSCURRENT', MoveToVersionId: TOKEN_2 };
    await client.updateSecretVersionStage({ ...move, RemoveFromVersionId: TOKEN_1 });
    const { VersionIdsToStages } = await client.describeSecret({ SecretId: 'pending' });
    expect(VersionIdsToStages).toEqual({
      [TOKEN_2]: ['AWSCURRENT', 'AWSPENDING'],
      [TOKEN_1]: ['AWSPREVIOUS'],
    });
  });

  it('makes the very first version the current one, whatever its labels are', async () => {
    await client.createSecret({ Name: 'first' });
    const VersionStages = ['AWSPENDING'];
    await client.putSecretValue({ SecretId: 'first', SecretString: 'a', VersionStages });
    const { VersionId, SecretString } = await client.getSecretValue({ SecretId: 'first' });
    expect(SecretString).toBe('a');
    const second = await client.putSecretValue({ SecretId: 'first', SecretString: 'b', VersionStages });
    expect(second).toMatchObject({ VersionStages });
    const current = await client.getSecretValue({ SecretId: 'first' });
    expect(current).toMatchObject({ VersionId, SecretString: 'a', VersionStages: ['AWSCURRENT'] });
  });
  it('moves AWSCURRENT only away from the version that has it, and only to one that exists', async () => {
    const { VersionId } = await client.createSecret({ Name: 'contested', SecretString: 'a' });
    const label = { SecretId: 'contested', VersionStage: 'AWSCURRENT' };
    const put = { SecretId: 'contested', SecretString: 'b', VersionStages: ['AWSPENDING'] };
    const { VersionId: MoveToVersionId } = await client.putSecretValue(put);
    for (const RemoveFromVersionId of [undefined, MoveToVersionId])
      await expect(
        client.updateSecretVersionStage({ ...label, MoveToVersionId, RemoveFromVersionId }),
      ).rejects.toMatchObject({ name: 'InvalidParameterException' });
    const missing = { MoveToVersionId: TOKEN_2, RemoveFromVersionId: VersionId };
    await expect(client.updateSecretVersionStage({ ...label, ...missing })).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
    expect(await client.getSecretValue({ SecretId: 'contested' })).toMatchObject({ VersionId });
  });
});
