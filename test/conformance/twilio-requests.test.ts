import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { presetContract } from '../support/preset-contracts.ts';
import { answer } from '../unit/functions/base/sms-service/scripted-server.ts';
import { start, webhookUrl } from '../unit/functions/registration/services/registration-under-test.ts';

/* Requests of registration and lookups against those that Twilio's library makes. */

const twilio = createRequire(import.meta.url)('twilio');
const account = `AC${'0'.repeat(31)}1`;
const id = `MG${'0'.repeat(31)}1`;

interface Sent {
  readonly method: string;
  readonly uri: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** A client of the library that sends nothing, and keeps what it would have sent. */
function clientOf(sent: Sent[], body: object) {
  const request = (options: Sent) => {
    sent.push(options);
    return Promise.resolve({ statusCode: 200, body: JSON.stringify(body), headers: {} });
  };
  return twilio(account, 'an-auth-token', { httpClient: { request } });
}

it('registration sets the fields that the library sets', async () => {
  const sent: Sent[] = [];
  const values = { statusCallback: webhookUrl, inboundRequestUrl: webhookUrl, inboundMethod: 'POST' };
  await clientOf(sent, { sid: id }).messaging.v1.services(id).update(values);
  const service = { inbound_request_url: webhookUrl, status_callback: webhookUrl, inbound_method: 'POST' };
  const script = { [`POST /v1/Services/${id}`]: [answer(200, service)] };
  const registered = await start(
    { kind: 'twilio-messaging-service', id },
    `${account}:an-auth-token`,
    script,
  );
  await registered.registration.set(webhookUrl);
  const [ours] = registered.server.requests;
  expect(sent[0]?.uri).toBe(`https://messaging.twilio.com/v1/Services/${id}`);
  expect(Object.fromEntries(new URLSearchParams(ours?.body))).toEqual({ ...sent[0]?.data });
});

it('lookups ask for the addresses and parameters that the library asks for', async () => {
  const sent: Sent[] = [];
  const client = clientOf(sent, { messages: [], end: 0, start: 0, page: 0, page_size: 200, uri: '' });
  const [since, until] = [new Date('2026-01-15T00:00:00Z'), new Date('2026-01-16T00:00:00Z')];
  await client.messages.page({ dateSentAfter: since, dateSentBefore: until, pageSize: 200 });
  await client.messages('SM1').fetch();
  const { lookups } = presetContract('twilio');
  const pathOf = (path = '') => path.replace('{user}', account).replace('{messageId}', 'SM1');
  expect(sent.map(({ uri }) => uri)).toEqual([
    `https://api.twilio.com${pathOf(lookups?.list?.path)}`,
    `https://api.twilio.com${pathOf(lookups?.message?.path)}`,
  ]);
  expect(Object.keys(sent[0]?.params ?? {}).toSorted()).toEqual(
    Object.keys(lookups?.list?.query ?? {}).toSorted(),
  );
});
