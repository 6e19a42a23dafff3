import { afterEach } from 'vitest';
import type { Contract } from '../../../../../contract/schema/contract-schema.ts';
import { connectRegistration } from '../../../../../functions/registration/registration-of-contract.ts';
import { shippedContract } from '../../../../../tools/support/contracts.ts';
import {
  type Script,
  type ScriptedServer,
  startScriptedServer,
} from '../../base/sms-service/scripted-server.ts';
import { createTestPorts } from '../../base/sms-service/test-ports.ts';

export const webhookUrl = 'https://pipeline.example/webhooks/sms';
export const elsewhere = 'https://other.example/hook';

const servers = new Set<ScriptedServer>();

afterEach(async () => {
  for (const server of servers) await server.close();
  servers.clear();
});

/** The registration of a contract at a server that plays a script; closed after the test. */
export async function start(
  registration: NonNullable<Contract['registration']>,
  apiKey: string,
  script: Script,
) {
  const world = createTestPorts();
  const server = await startScriptedServer(script, world.expire);
  servers.add(server);
  const { ports } = world;
  const options = { baseUrl: server.url, apiKey, ports, webhookUrl };
  const contract = { registration, service: shippedContract.service };
  return { registration: connectRegistration(contract, options), server, ...world };
}
