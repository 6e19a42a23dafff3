import { afterEach } from 'vitest';
import { deadlineAt } from '../../../../../functions/runtime/basics.ts';
import type { HttpInit } from '../../../../../functions/runtime/http.ts';
import type { SetupPorts } from '../../../../../functions/setup/request.ts';
import { createSmsServiceClient } from '../../../../../functions/sms-service/client.ts';
import { ok } from '../../../../../functions/sms-service/request.ts';
import type { SecretDocument } from '../../../../../functions/webhook/secret-document.ts';
import { startSmsService } from '../../../../../local/sms-service/sandbox.ts';
import { shippedContract } from '../../../../../tools/support/contracts.ts';
import { recorder } from '../../../../../tools/support/recorder.ts';
import { answer, type Step, startScriptedServer, tokens } from '../../sms-service/scripted-server.ts';
import { createTestPorts } from '../../sms-service/test-ports.ts';
import { createMemoryBus, createMemoryState, createMemoryStore } from './memory-ports.ts';

export const apiKey = 'the-api-key-of-the-test';
export const webhookUrl = 'https://pipeline.example/webhooks/sms';
export const hour = 3_600_000;

/** The operations, as the journal and a script name them. */
export const read = 'GET /v1/account/webhook';
export const set = 'PUT /v1/account/webhook';
export const exchange = 'POST /v1/auth/token';

const closing = new Set<{ close(): Promise<void> }>();

afterEach(async () => {
  for (const server of closing) await server.close();
  closing.clear();
});

/** A document whose current secret has stood since New Year. */
export const documentWith = (secret: string): SecretDocument => ({
  version: 1,
  current: { secret, since: '2026-01-01T00:00:00.000Z' },
});

/** What the setup function works with, its service at this URL. */
function createSetup(baseUrl: string, document?: SecretDocument) {
  const world = createTestPorts();
  const log = recorder();
  const store = createMemoryStore(document);
  const state = createMemoryState();
  const bus = createMemoryBus();
  const journal: string[] = [];
  const basePorts = {
    ...world.ports,
    fetch: (url: string, init: HttpInit) => {
      const operation = `${init.method} ${new URL(url).pathname}`;
      if (operation !== exchange) journal.push(operation);
      return world.ports.fetch(url, init);
    },
    sleep: (ms: number) => {
      journal.push(`pause ${ms}`);
      return world.ports.sleep(ms);
    },
  };
  const token = shippedContract.service.token;
  const connect = (key: string) => createSmsServiceClient({ baseUrl, token, apiKey: key, ports: basePorts });
  const service = connect(apiKey);
  const { signature } = shippedContract.webhook;
  const ports = {
    ...basePorts,
    store: {
      ...store,
      replace: async (next: SecretDocument, replacing: string | undefined) => {
        const version = await store.replace(next, replacing);
        const what = next.rotating === undefined ? 'secrets' : 'mark';
        journal.push(version === undefined ? `lose ${what}` : `store ${what}`);
        return version;
      },
    },
    state,
    bus,
    webhookUrl,
    signature,
    overlapMs: 24 * hour,
    onDrift: 'repair' as const,
    rotateAfterMs: undefined,
    captureSetting: '',
    registration: 'on' as const,
    connect,
    readApiKey: async () => ok(apiKey),
    requestId: 'request-1',
    deadline: deadlineAt(basePorts.clock() + 45_000, basePorts.clock),
    log: log.log,
    count: log.count,
  };
  const dependencies: SetupPorts = { ...ports, service };
  return {
    ...world,
    store,
    state,
    service,
    bus,
    log,
    /** What the run asked the service for, stored, and waited, in order. */
    journal,
    /** The names of the lines logged, in order. */
    logged: () => log.lines.map(({ name }) => name),
    /** For the actions themselves. */
    dependencies,
    /** For what calls them. */
    ports,
  };
}

/** With the sandbox as the service, its clock the test's; closed after the test. */
export async function startSetup(document?: SecretDocument) {
  const late: { clock?: () => number } = {};
  const clock = () => late.clock?.() ?? 0;
  const sandbox = await startSmsService({ port: 0, contract: shippedContract, apiKey, clock });
  closing.add(sandbox);
  const setup = createSetup(sandbox.url, document);
  late.clock = setup.ports.clock;
  /** Changes the webhook past the pipeline. */
  const changeElsewhere = (change: { readonly url?: string; readonly rotate?: boolean }) =>
    fetch(`${sandbox.url}/sandbox/webhook`, { method: 'POST', body: JSON.stringify(change) });
  return { sandbox, changeElsewhere, ...setup };
}

/** With a service that plays a script; closed after the test. */
export async function startScriptedSetup(script: Record<string, readonly Step[]>, document?: SecretDocument) {
  const late: { expire?: () => void } = {};
  const server = await startScriptedServer({ [exchange]: [tokens()], ...script }, () => late.expire?.());
  closing.add(server);
  const setup = createSetup(server.url, document);
  late.expire = setup.expire;
  return { server, ...setup };
}

export const oldSecret = 'whsec_b2xk';
export const newSecret = 'whsec_bmV3';

/** A webhook for scripts: the service's answer, and steps that change it. */
export function scriptedWebhook() {
  const webhook = { url: webhookUrl, secret: oldSecret };
  const show: Step = (...call) => answer(200, webhook)(...call);
  return {
    webhook,
    show,
    /** Rotates, and then answers in this way. */
    rotates:
      (then: Step = show): Step =>
      (...call) => {
        webhook.secret = newSecret;
        then(...call);
      },
  };
}
