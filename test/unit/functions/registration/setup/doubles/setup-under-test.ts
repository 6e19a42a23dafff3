import { deadlineAt } from '../../../../../../functions/base/basics.ts';
import type { HttpInit, Ports } from '../../../../../../functions/base/http-client.ts';
import { ok } from '../../../../../../functions/base/sms-service/request.ts';
import type { SecretDocument } from '../../../../../../functions/registration/secret/secret-document.ts';
import {
  accountWebhookPath,
  createAccountWebhook,
} from '../../../../../../functions/registration/services/account-webhook.ts';
import type { SetupPorts } from '../../../../../../functions/registration/setup/request.ts';
import type { WebhookReport } from '../../../../../../functions/registration/webhook-report.ts';
import { shippedContract } from '../../../../../../tools/support/contracts.ts';
import { memoryBus } from '../../../../../support/fakes/event-bus.ts';
import { createMemoryWebhook } from '../../../../../support/fakes/sms-service-webhook.ts';
import { createMemoryStore } from '../../../../../support/fakes/webhook-secret-store.ts';
import { createMemoryState } from '../../../../../support/fakes/webhook-state.ts';
import { recorder } from '../../../../../support/recorder.ts';
import {
  answer,
  createScriptedService,
  type Step,
  tokens,
} from '../../../base/sms-service/scripted-server.ts';
import { createTestPorts } from '../../../base/sms-service/test-ports.ts';

export const apiKey = 'the-api-key-of-the-test';
export const webhookUrl = 'https://pipeline.example/webhooks/sms';
export const hour = 3_600_000;
/** The time at which each test begins. */
const noon = '2026-01-15T12:00:00.000Z';

/** The operations, as the journal and a script name them. */
export const read = 'GET /v1/account/webhook';
export const set = 'PUT /v1/account/webhook';
export const exchange = 'POST /v1/auth/token';

/** The report on a webhook that was registered at {@link noon}, with other values for these fields. */
export function reportOf({
  secret,
  ...others
}: Partial<Omit<WebhookReport, 'secret'>> & { readonly secret?: object } = {}) {
  return {
    webhookUrl,
    registeredUrl: webhookUrl,
    state: 'registered',
    serviceFailure: null,
    desiredState: 'registered',
    drift: null,
    lastReconcile: { at: noon, failure: null },
    lastVerifiedAt: null,
    mismatchesLastHour: 0,
    ...others,
    secret: {
      stored: true,
      matchesService: true,
      since: noon,
      previousValidUntil: null,
      rotating: null,
      ...secret,
    },
  } satisfies WebhookReport;
}

/** A document whose current secret has been in use since New Year. */
export const documentWith = (secret: string): SecretDocument => ({
  version: 1,
  current: { secret, since: '2026-01-01T00:00:00.000Z' },
});

type Service = SetupPorts['service'];
type World = ReturnType<typeof createTestPorts>;

/** The ports of the setup function, and a journal of its calls of the service, its stores and its pauses. */
function createSetup(
  world: World,
  connectTo: (ports: Ports, apiKey: string, ended?: AbortSignal) => Service,
  journal: string[],
  document?: SecretDocument,
) {
  const log = recorder();
  const store = createMemoryStore(document);
  const state = createMemoryState();
  const bus = memoryBus();
  const basePorts = {
    ...world.ports,
    sleep: (ms: number) => {
      journal.push(`pause ${ms}`);
      return world.ports.sleep(ms);
    },
  };
  const connect = (key: string) => connectTo(basePorts, key);
  const service = connect(apiKey);
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
    signature: shippedContract.webhook.signature,
    overlapMs: 24 * hour,
    onDrift: 'repair' as const,
    rotateAfterMs: undefined,
    registration: 'on' as const,
    source: 'main',
    connect,
    api: {
      connect: (): never => {
        throw new Error('not expected to be called');
      },
      tokenPath: '/v1/auth/token',
      webhookPath: accountWebhookPath,
      isDescribed: true,
    },
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
    /** The calls of the service, the stores and the pauses of a run, in order. */
    journal,
    /** The names of the lines logged, in order. */
    logged: () => log.lines.map(({ name }) => name),
    /** The ports of an action. */
    dependencies,
    /** The ports before the API key is known. */
    ports,
    /** The ports of an action that begins now. */
    later: (): SetupPorts => ({
      ...dependencies,
      deadline: deadlineAt(basePorts.clock() + 45_000, basePorts.clock),
    }),
  };
}

/** Setup with an SMS service in memory whose webhook was never configured. */
export function startSetup(document?: SecretDocument) {
  const memory = createMemoryWebhook();
  const { client } = memory;
  const journal: string[] = [];
  const service: Service = {
    rotates: true,
    read: () => {
      journal.push(read);
      return client.read();
    },
    set: (url) => {
      journal.push(set);
      return client.set(url);
    },
    rotate: (url) => {
      journal.push(set);
      return client.rotate(url);
    },
    deactivate: () => {
      journal.push(set);
      return client.deactivate();
    },
  };
  return { ...memory, ...createSetup(createTestPorts(), () => service, journal, document) };
}

/** Setup with the real client of an SMS service that plays a script. */
export function startScriptedSetup(script: Record<string, readonly Step[]>, document?: SecretDocument) {
  const world = createTestPorts();
  const server = createScriptedService({ [exchange]: [tokens()], ...script }, world.expire);
  const journal: string[] = [];
  const fetch = (url: string, init: HttpInit) => {
    const operation = `${init.method} ${new URL(url).pathname}`;
    if (operation !== exchange) journal.push(operation);
    return server.fetch(url, init);
  };
  const { token } = shippedContract.service;
  const connectTo = (ports: Ports, key: string) =>
    createAccountWebhook({ baseUrl: server.url, token, apiKey: key, ports });
  const setup = createSetup({ ...world, ports: { ...world.ports, fetch } }, connectTo, journal, document);
  return { server, ...setup };
}

export const oldSecret = 'whsec_b2xkLXNlY3JldC1vZi1hLXRlc3Q=';
export const newSecret = 'whsec_bmV3LXNlY3JldC1vZi1hLXRlc3Q=';

/** A webhook for scripts: steps that show it, and steps that change it. */
export function scriptedWebhook() {
  const webhook = { url: webhookUrl, secret: oldSecret };
  const show: Step = (request) => answer(200, webhook)(request);
  return {
    webhook,
    show,
    /** Rotates, and then answers in this way. */
    rotates:
      (then: Step = show): Step =>
      (request) => {
        webhook.secret = newSecret;
        return then(request);
      },
  };
}
