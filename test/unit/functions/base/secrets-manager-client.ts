import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterEach } from 'vitest';
import { AwsError } from '../../../../local/aws-protocol/aws-json.ts';
import { SecretsManager } from '../../../../local/services/secrets-manager/api.ts';
import {
  answer,
  type ScriptedServer,
  type Step,
  startScriptedServer,
} from './sms-service/scripted-server.ts';

const servers = new Set<ScriptedServer>();

afterEach(async () => {
  for (const server of servers) await server.close();
  servers.clear();
});

/** A real client of an endpoint that plays these steps; closed after the test. */
export async function startSecretsManager(...steps: readonly Step[]) {
  const server = await startScriptedServer({ 'POST /': steps }, () => undefined);
  servers.add(server);
  const client = new SecretsManagerClient({
    endpoint: server.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    maxAttempts: 1,
  });
  const calls = () =>
    server.requests.map(({ headers, body }) => {
      const input: unknown = JSON.parse(body);
      return { call: headers['x-amz-target'], input };
    });
  return { client, server, calls };
}

/** The real client of a Secrets Manager that knows this secret, which has no value yet. */
export function startWorkingSecretsManager(secretId: string) {
  const secretsManager = new SecretsManager(() => 1_768_478_400);
  secretsManager.create({ Name: secretId });
  return startSecretsManager(playSecretsManager(secretsManager));
}

/** Answers as this Secrets Manager does. */
export function playSecretsManager({ operations }: SecretsManager): Step {
  return (request) => {
    const name = String(request.headers['x-amz-target']).replace('secretsmanager.', '');
    const input: unknown = JSON.parse(request.body);
    try {
      return answer(200, operations.get(name)?.(input))(request);
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      return answer(error.status, { __type: error.type, message: error.message })(request);
    }
  };
}

/** A client that fails with what is no error, as a broken middleware might. */
export function failingSecretsManager(): SecretsManagerClient {
  const client = new SecretsManagerClient({ region: 'us-east-1' });
  client.middlewareStack.add(() => () => Promise.reject('a text'), { step: 'initialize' });
  return client;
}
