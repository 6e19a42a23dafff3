import { afterEach } from 'vitest';
import { createSmsServiceClient } from '../../../../../functions/base/sms-service/service-client.ts';
import type { SessionOptions } from '../../../../../functions/base/sms-service/session.ts';
import { createAccountWebhook } from '../../../../../functions/registration/services/account-webhook.ts';
import { shippedContract } from '../../../../../tools/support/contracts.ts';
import { answer, type ScriptedServer, type Step, startScriptedServer, tokens } from './scripted-server.ts';
import { createTestPorts } from './test-ports.ts';

export const exchange = 'POST /v1/auth/token';
export const read = 'GET /v1/account/webhook';
export const set = 'PUT /v1/account/webhook';

export const apiKey = 'the-api-key-of-the-test';
export const webhook = { url: 'https://pipeline.example/webhooks/sms', secret: 'whsec_c2VjcmV0' };
export const good = answer(200, webhook);
export const failure = answer(500, { error: 'down' });

const servers = new Set<ScriptedServer>();

afterEach(async () => {
  for (const server of servers) await server.close();
  servers.clear();
});

/** A client and a registration of a scripted server that gives out tokens unless the script says otherwise; closed after the test. */
export async function start(
  script: Record<string, readonly Step[]>,
  options: Partial<Omit<SessionOptions, 'ports'>> = {},
) {
  const world = createTestPorts();
  const server = await startScriptedServer({ [exchange]: [tokens()], ...script }, world.expire);
  servers.add(server);
  const session = {
    baseUrl: `${server.url}/`,
    token: shippedContract.service.token,
    apiKey,
    ...options,
    ports: world.ports,
  };
  return {
    client: createSmsServiceClient(session),
    registration: createAccountWebhook(session),
    server,
    ...world,
  };
}
