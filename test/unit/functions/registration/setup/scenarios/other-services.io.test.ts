import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Contract } from '../../../../../../contract/schema/contract-schema.ts';
import { ok } from '../../../../../../functions/base/sms-service/request.ts';
import { connectRegistration } from '../../../../../../functions/registration/registration-of-contract.ts';
import { handle } from '../../../../../../functions/registration/setup/handle.ts';
import { shippedContract } from '../../../../../../tools/support/contracts.ts';
import {
  answer,
  type ScriptedServer,
  type Step,
  startScriptedServer,
} from '../../../base/sms-service/scripted-server.ts';
import { createTestPorts } from '../../../base/sms-service/test-ports.ts';
import { documentWith, reportOf, startScriptedSetup, webhookUrl } from '../doubles/setup-under-test.ts';

const elsewhere = 'https://other.example/hook';
const messagingService = `MG${'0'.repeat(31)}1`;
const profile = '00000000-0000-4000-8000-000000000001';

interface OtherService {
  readonly name: string;
  readonly registration: NonNullable<Contract['registration']>;
  readonly apiKey: string;
  /** A server that keeps the URLs that it is given, and answers as the service's documentation shows. */
  readonly play: (urls: Urls) => Record<string, readonly Step[]>;
}

interface Urls {
  statuses: string | null;
  replies: string | null;
}

const telnyxBody = z.object({ webhook_url: z.string().nullable() });

const twilioPath = `/v1/Services/${messagingService}`;
const telnyxPath = `/v2/messaging_profiles/${profile}`;

const services: readonly OtherService[] = [
  {
    name: 'Twilio',
    registration: { kind: 'twilio-messaging-service', id: messagingService },
    apiKey: 'SK0:a-secret-of-the-test',
    play: (urls) => {
      const show: Step = (request) =>
        answer(200, {
          sid: messagingService,
          status_callback: urls.statuses,
          inbound_request_url: urls.replies,
          inbound_method: 'POST',
        })(request);
      const set: Step = (request) => {
        const form = new URLSearchParams(request.body);
        urls.statuses = form.get('StatusCallback') || null;
        urls.replies = form.get('InboundRequestUrl') || null;
        return show(request);
      };
      return { [`GET ${twilioPath}`]: [show], [`POST ${twilioPath}`]: [set] };
    },
  },
  {
    name: 'Telnyx',
    registration: { kind: 'telnyx-messaging-profile', id: profile },
    apiKey: 'KEY-of-the-test',
    play: (urls) => {
      const show: Step = (request) =>
        answer(200, { data: { id: profile, webhook_url: urls.statuses, webhook_api_version: '2' } })(request);
      const set: Step = (request) => {
        const { webhook_url: url } = telnyxBody.parse(JSON.parse(request.body));
        urls.statuses = urls.replies = url;
        return show(request);
      };
      return { [`GET ${telnyxPath}`]: [show], [`PATCH ${telnyxPath}`]: [set] };
    },
  },
];

const servers = new Set<ScriptedServer>();
afterEach(async () => {
  for (const server of servers) await server.close();
  servers.clear();
});

describe.each(services)('setup at $name', ({ name, registration, apiKey, play }) => {
  async function start() {
    const urls: Urls = { statuses: null, replies: null };
    const server = await startScriptedServer(play(urls), () => undefined);
    servers.add(server);
    const { ports, ...setup } = startScriptedSetup({}, documentWith('the stored secret'));
    const { fetch } = createTestPorts().ports;
    const options = { baseUrl: server.url, ports: { ...ports, fetch }, webhookUrl };
    const contract = { registration, service: shippedContract.service };
    const run = (action: string, more: object = {}) =>
      handle(
        { action, ...more },
        {
          ...ports,
          readApiKey: async () => ok(apiKey),
          connect: (key) => connectRegistration(contract, { ...options, apiKey: key }),
        },
      );
    return { ...setup, urls, server, run };
  }

  const secret = { matchesService: null, since: '2026-01-01T00:00:00.000Z' };

  it('registers, reports, repairs and deactivates, and never changes the stored secret', async () => {
    const { run, urls, store, log } = await start();
    expect(await run('register')).toEqual(reportOf({ secret }));
    expect(urls).toEqual({ statuses: webhookUrl, replies: webhookUrl });
    expect(await run('status')).toEqual(reportOf({ secret }));

    urls.statuses = elsewhere;
    expect(await run('reconcile')).toMatchObject({ state: 'registered', registeredUrl: webhookUrl });
    expect(urls.statuses).toBe(webhookUrl);
    expect(log.counts.get('webhookDrifted')).toBe(1);

    expect(await run('rotate')).toMatchObject({ error: { kind: 'not-sent' } });
    expect(await run('deactivate')).toMatchObject({ state: 'deactivated', registeredUrl: '' });
    expect(urls).toEqual({ statuses: null, replies: null });
    expect([store.document, store.stored]).toEqual([documentWith('the stored secret'), []]);
  });

  it('deactivates a webhook that was removed in part', async () => {
    const { run, urls } = await start();
    // Telnyx has one URL for both.
    Object.assign(urls, { statuses: name === 'Telnyx' ? webhookUrl : null, replies: webhookUrl });
    expect(await run('deactivate')).toMatchObject({ state: 'deactivated' });
    expect(urls).toEqual({ statuses: null, replies: null });
  });

  it('leaves another URL alone when it deactivates', async () => {
    const { run, urls } = await start();
    Object.assign(urls, { statuses: elsewhere, replies: elsewhere });
    expect(await run('deactivate')).toMatchObject({ state: 'elsewhere', registeredUrl: elsewhere });
    expect(urls).toEqual({ statuses: elsewhere, replies: elsewhere });
  });
});
