import { SecretsManager } from '../../../../../../local/services/secrets-manager/api.ts';
import { playSecretsManager } from '../../../base/secrets-manager-client.ts';
import { answer, type Step } from '../../../base/sms-service/scripted-server.ts';

/** Secrets Manager, as much of DynamoDB as setup needs (one item, whose attributes are set), and a bus that takes an event a call. */
export function createPlayedAws() {
  const secretsManager = new SecretsManager(() => 1_768_478_400);
  const state: Record<string, unknown> = {};
  const operate = (name: string, input: object): unknown => secretsManager.operations.get(name)?.(input);

  const play: Step = (request) => {
    const target = String(request.headers['x-amz-target']);
    if (target.startsWith('secretsmanager.')) return playSecretsManager(secretsManager)(request);
    const input: { readonly ExpressionAttributeValues?: object } = JSON.parse(request.body);
    if (target.endsWith('.UpdateItem'))
      for (const [name, value] of Object.entries(input.ExpressionAttributeValues ?? {}))
        state[name.slice(1)] = value;
    if (target.endsWith('.PutEvents'))
      return answer(200, { FailedEntryCount: 0, Entries: [{ EventId: '1' }] })(request);
    if (target.endsWith('.Query')) return answer(200, { Items: [] })(request);
    return answer(200, { Item: state })(request);
  };

  return {
    play,
    createSecret: (Name: string) => operate('CreateSecret', { Name }),
    putSecret: (SecretId: string, SecretString: string) =>
      operate('PutSecretValue', { SecretId, SecretString }),
    /** The whole answer of GetSecretValue. */
    secretText: (SecretId: string) => {
      const value = operate('GetSecretValue', { SecretId });
      const isValue = typeof value === 'object' && value !== null && 'SecretString' in value;
      return isValue ? String(value.SecretString) : '';
    },
  };
}

export type PlayedAws = ReturnType<typeof createPlayedAws>;
