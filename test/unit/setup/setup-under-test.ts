import { afterEach } from 'vitest';
import { createSmsServiceClient } from '../../../functions/adapters/sms-service/client.ts';
import type { WebhookSecretStore } from '../../../functions/adapters/webhook-secret.ts';
import type { SecretDocument } from '../../../functions/core/webhook/secret-document.ts';
import { type SmsServiceSandbox, startSmsService } from '../../../local/sms-service/start.ts';
import { shippedContract } from '../../support/contracts.ts';
import { recorder } from '../../support/recorder.ts';
import { type Step, startScriptedServer, tokens } from '../adapters/sms-service/scripted-server.ts';
import { createTestPorts } from '../adapters/sms-service/test-ports.ts';

export const apiKey = 'the-api-key-of-the-test';
export const webhookUrl = 'https://pipeline.example/webhooks/sms';
const hour = 3_600_000;

const closing = new Set<{ close(): Promise<void> }>();

afterEach(async () => {
  for (const server of closing) await server.close();
  closing.clear();
});

/** A store in memory that counts what is written. */
function createMemoryStore(document?: SecretDocument) {
  const store = {
    document,
    writes: 0,
    read: async () => store.document,
    write: async (next: SecretDocument) => {
      store.document = next;
      store.writes++;
    },
  };
  return store satisfies WebhookSecretStore;
}

/** What the setup function works with, its service at this URL. */
function createSetup(baseUrl: string, document?: SecretDocument) {
  const world = createTestPorts();
  const log = recorder();
  const store = createMemoryStore(document);
  const connect = (key: string, deadline?: number) =>
    createSmsServiceClient({
      baseUrl,
      token: shippedContract.service.token,
      apiKey: key,
      ports: world.ports,
      ...(deadline !== undefined && { deadline }),
    });
  const service = connect(apiKey);
  const { clock } = world.ports;
  const { signature } = shippedContract.webhook;
  const ports = { ...world.ports, store, webhookUrl, signature, overlapMs: 24 * hour, clock, log: log.log };
  return {
    ...world,
    store,
    service,
    log,
    /** For the actions themselves. */
    dependencies: { ...ports, service },
    /** For what calls them. */
    ports: { ...ports, connect, readApiKey: async () => ({ ok: true, apiKey }) as const },
  };
}

/** With the sandbox as the service; closed after the test. */
export async function startSetup(document?: SecretDocument) {
  const sandbox: SmsServiceSandbox = await startSmsService({ port: 0, contract: shippedContract, apiKey });
  closing.add(sandbox);
  return { sandbox, ...createSetup(sandbox.url, document) };
}

/** With a service that plays a script; closed after the test. */
export async function startScriptedSetup(script: Record<string, readonly Step[]>, document?: SecretDocument) {
  const late: { expire?: () => void } = {};
  const server = await startScriptedServer({ 'POST /v1/auth/token': [tokens()], ...script }, () =>
    late.expire?.(),
  );
  closing.add(server);
  const setup = createSetup(server.url, document);
  late.expire = setup.expire;
  return { server, ...setup };
}
