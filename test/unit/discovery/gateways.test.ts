import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkSamples } from '../../../contract/document/parse.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import type { Capture } from '../../../discovery/captured/capture.ts';
import { contractToWrite } from '../../../discovery/contract-to-write.ts';
import { discover } from '../../../discovery/discovery.ts';
import { shippedContract } from '../../../tools/support/contracts.ts';
import { captureWith, found } from './services.ts';

/**
 * The names of fields, the words and the methods are those of the gateways in nyaruka/courier, handlers/<service>. Numbers, ids and texts are
 * invented.
 */
const receivedAt = '2026-01-15T12:00:01.000Z';
const base = 'https://hooks.example.com/webhooks/sms';
const json = (body: object) => captureWith(Buffer.from(JSON.stringify(body)), 'application/json', receivedAt);
const formType = 'application/x-www-form-urlencoded';
const form = (body: string, query = ''): Capture => ({
  ...captureWith(Buffer.from(body), formType, receivedAt),
  url: query === '' ? base : `${base}?${query}`,
});
const get = (query: string, path = ''): Capture => ({
  ...captureWith(Buffer.alloc(0), '', receivedAt),
  method: 'GET',
  url: `${base}${path}?${query}`,
  headers: {},
});

async function discovered(captures: readonly Capture[]) {
  const discovery = await found(captures);
  return { ...discovery, by: new Map(discovery.proposals.map((one) => [one.key, one])) };
}

/** What a contract with a token in the URL finds, which may read the query and use the content as identity. */
function withToken(captures: readonly Capture[], contract: Contract = shippedContract) {
  const token = 'token-4f9d1c7e';
  const withUrl = captures.map((capture) => ({
    ...capture,
    url: `${capture.url}${capture.url.includes('?') ? '&' : '?'}token=${token}`,
  }));
  return discover(
    withUrl,
    () => [token],
    contract,
    Date.parse(receivedAt),
    async (all) => all,
  );
}

describe('the id of a reply', () => {
  const reply = (index: number) => ({
    id: `mo-${index}`,
    source: '12025550143',
    shortCode: '20200',
    messageText: `Yes ${index}`,
    receivedAt: 1768478400000 + index * 60_000,
    mt: { id: '8be584fd-2554-439b-9ba9-aab507278992', correlationId: '1876' },
  });

  it('is not that of the sent message in an object beside it (handlers/wavy)', async () => {
    for (const count of [1, 2, 3]) {
      const { by } = await discovered(Array.from({ length: count }, (_, index) => json(reply(index))));
      expect(by.get('events.reply.replyId')?.value).toBe('id');
      expect(by.get('events.reply.messageId')).toMatchObject({ value: 'mt.id', isCertain: false });
    }
  });

  it('is empty where a reply has the id of the sent message alone', async () => {
    const withoutId = [0, 1].map((index) => json({ ...reply(index), id: undefined }));
    const { by } = await discovered(withoutId);
    expect(by.get('events.reply.replyId')).toMatchObject({ value: null, isCertain: false });
    expect(by.get('events.reply.messageId')).toMatchObject({ value: 'mt.id', isCertain: false });
  });

  it('is not an id that replies with other texts share', async () => {
    const bodies = ['Yes', 'No'].map((text) => ({ messageId: 'm-10001', from: '+12025550143', text }));
    const { by } = await discovered(bodies.map(json));
    expect(by.get('events.reply.replyId')?.value).toBeNull();
  });

  it('is the one of the response beside the one of a message', async () => {
    const { by } = await discovered([
      get('mobile=12025550143&message_id=23451&response=Yes+please&response_id=9912'),
    ]);
    expect(by.get('events.reply.replyId')).toMatchObject({ value: 'response_id', isCertain: false });
    expect(by.get('events.reply.messageId')).toMatchObject({ value: 'message_id', isCertain: false });
  });

  it('is a guess where it is named like that of a message', async () => {
    const { by } = await discovered([json({ messageId: 'm-10001', from: '+12025550143', text: 'Yes' })]);
    expect(by.get('events.reply.replyId')).toMatchObject({ value: 'messageId', isCertain: false });
  });

  it('is not the id of the correlated message (handlers/zenviaold)', async () => {
    const { by } = await discovered([
      json({
        callbackMoRequest: {
          id: '20690090',
          mobile: '12025550143',
          shortCode: '40001',
          body: 'Yes',
          correlatedMessageSmsId: 'hs765939061',
        },
      }),
    ]);
    expect(by.get('events.reply.replyId')?.value).toBe('callbackMoRequest.id');
    expect(by.get('events.reply.messageId')).toMatchObject({
      value: 'callbackMoRequest.correlatedMessageSmsId',
      isCertain: false,
    });
  });
});

describe('requests by POST and by GET', () => {
  const reply = form('FROM=%2B12025550177&TO=51510&MESSAGE=Hello+World&ID=123456');
  const report = get('ret_id=019a0719-ac96-7eb9-a837-cac215164834&status=DELIVRD');

  it('are two forms of one contract (handlers/highconnection)', async () => {
    const { by, contract, reads } = await discovered([reply, report, report]);
    expect(contract.webhook).toMatchObject({
      bodyFormat: 'form',
      also: { method: 'GET', bodyFormat: 'form' },
    });
    expect(contract.webhook.method ?? 'POST').toBe('POST');
    expect(by.get('webhook.also.method')).toMatchObject({ value: 'GET', note: '1 of 2 requests' });
    expect(by.get('events.status.messageId')).toMatchObject({ value: 'ret_id', isCertain: false });
    expect(reads).toMatchObject({ events: 2, of: 2, problems: [] });
  });

  it('make a contract whose samples hold', async () => {
    const discovery = await withToken([reply, report]);
    const { contract, missing } = contractToWrite(discovery, shippedContract) ?? {};
    expect(missing).toEqual([]);
    expect(contract?.webhook.signature).toMatchObject({ scheme: 'token', query: 'token' });
    expect(contract?.samples.map(({ method }) => method).sort()).toEqual(['GET', 'POST']);
    expect(contract && checkSamples(contract)).toEqual([]);
    expect(JSON.stringify(contract?.samples)).not.toMatch(/2025550177|Hello|token-4f9d/);
  });

  it('may have JSON in one of them (handlers/mblox beside handlers/kannel)', async () => {
    const inJson = json({ id: 'r-10001', from: '+12025550143', to: '+12025550100', body: 'Hello World' });
    const { contract, reads } = await discovered([inJson, report]);
    expect(contract.webhook).toMatchObject({
      bodyFormat: 'json',
      also: { method: 'GET', bodyFormat: 'form' },
    });
    expect(reads).toMatchObject({ events: 2, of: 2 });
  });

  it('may be signed in two ways with one secret', async () => {
    const secret = 'acme-4f9d1c7e2b8a';
    const signed = {
      ...reply,
      headers: {
        ...reply.headers,
        'x-signature': createHmac('sha256', secret).update(reply.body).digest('hex'),
      },
    };
    const withSecret = { ...report, url: `${report.url}&key=${secret}` };
    const discovery = await discover(
      [signed, withSecret],
      () => [secret],
      shippedContract,
      Date.parse(receivedAt),
      async (all) => all,
    );
    expect(discovery.signature).toMatchObject({ kind: 'found', fits: 2 });
    expect(discovery.contract.webhook).toMatchObject({
      signature: { scheme: 'hmac', header: 'x-signature' },
      also: { method: 'GET', signature: { scheme: 'token', query: 'key' } },
    });
    expect(discovery.reads).toMatchObject({ events: 2, of: 2 });
  });

  it('keep a second form that was not captured, if the signature covers its requests', async () => {
    const secret = 'acme-4f9d1c7e2b8a';
    const both: Contract = {
      ...shippedContract,
      webhook: { ...shippedContract.webhook, also: { method: 'GET', bodyFormat: 'form' } },
    };
    const hmac = createHmac('sha256', secret).update(reply.body).digest('hex');
    const alsoWith = async (headers: Readonly<Record<string, string>>) => {
      const captures = [{ ...reply, headers: { ...reply.headers, ...headers } }];
      const { contract } = await discover(
        captures,
        () => [secret],
        both,
        Date.parse(receivedAt),
        async (all) => all,
      );
      return contract.webhook.also;
    };
    expect(await alsoWith({ 'x-token': secret })).toEqual({ method: 'GET', bodyFormat: 'form' });
    expect(await alsoWith({ 'x-signature': hmac })).toBeUndefined();
  });

  it('are refused for the method whose requests do not verify', async () => {
    const token = 'token-4f9d1c7e';
    const signed = { ...reply, headers: { ...reply.headers, 'x-token': token } };
    const { signature, contract } = await discover(
      [signed, report],
      () => [token],
      shippedContract,
      Date.parse(receivedAt),
      async (all) => all,
    );
    expect(contract.webhook.also).toBeUndefined();
    expect(signature).toMatchObject({
      kind: 'found',
      fits: 1,
      ambiguities: expect.arrayContaining([
        'The requests by GET do not verify. The contract accepts POST alone, so the pipeline answers GET with 405.',
      ]),
    });
  });
});

describe('values in the URL of a POST', () => {
  const query = 'sender=%2B12025550177&message=Join&ts=1768478400&id=asdf-asdf&to=24453';

  it.each(['', ' ', 'empty'])(
    'are read if the body is "%s" (handlers/kannel, handlers/m3tech)',
    async (body) => {
      const { by, reads, bodies } = await discovered([form(body, query)]);
      expect(by.get('webhook.reads.query')).toMatchObject({ value: 'unsigned', isCertain: true });
      expect(by.get('events.reply.from')?.value).toBe('requestQuery.sender');
      expect(by.get('events.reply.text')?.value).toBe('requestQuery.message');
      expect(reads).toMatchObject({ events: 1, of: 1, problems: [] });
      expect([...bodies.others]).toEqual([]);
    },
  );

  it('make a contract whose samples hold, also beside requests by GET', async () => {
    const discovery = await withToken([form('', query), get('uuid=u-10001&status=delivered')]);
    const { contract, missing } = contractToWrite(discovery, shippedContract) ?? {};
    expect(missing).toEqual([]);
    expect(contract?.webhook).toMatchObject({ reads: { query: 'signed' }, also: { method: 'GET' } });
    expect(contract?.samples).toHaveLength(2);
    expect(contract && checkSamples(contract)).toEqual([]);
    expect(JSON.stringify(contract?.samples)).not.toMatch(/2025550177|Join|token-4f9d/);
  });

  it('are not those of a token alone', async () => {
    const { reads, bodies } = await withToken([form('')]);
    expect([...bodies.others]).toEqual([['empty', 1]]);
    expect(reads.of).toBe(0);
  });

  it('are left alone if the body has values', async () => {
    const { by, contract } = await discovered([form('from=%2B12025550143&text=Yes+please', 'source=7')]);
    expect(by.has('webhook.reads.query')).toBe(false);
    expect(contract.webhook.reads).toBeUndefined();
  });

  it('are named if they are words in its path (handlers/external)', async () => {
    const { remarks } = await discovered([get('id=m-10001', '/delivered/'), get('id=m-10002', '/failed/')]);
    expect(remarks).toEqual([
      'The path of the URL says what happened: delivered, failed. Set "webhook.reads.path", and read it from the list requestPath, such as requestPath[0].',
    ]);
  });
});

describe('the kind of an event', () => {
  it('is seen in a direction of one letter (handlers/justcall)', async () => {
    const event = (direction: string) => ({
      data: {
        direction,
        contact_number: '+12025550143',
        content: 'Hello there',
        delivery_status: 'sent',
        messageid: direction === 'I' ? 26523491 : 26523492,
      },
    });
    const { by, mapping } = await discovered(['I', 'O'].map((direction) => json(event(direction))));
    expect(mapping.events.map(({ kind }) => kind)).toEqual(['sms.reply', 'sms.status']);
    expect(by.get('events.kind')?.value).toMatch(/^data\.direction == 'I' && 'sms\.reply'/);
  });

  it('is a reply if its status says that it was received', async () => {
    const event = {
      id: 'r-10001',
      from: '+12025550143',
      to: '+12025550100',
      body: 'Yes',
      status: 'received',
    };
    const { mapping } = await discovered([json(event)]);
    expect(mapping.events.map(({ kind }) => kind)).toEqual(['sms.reply']);
  });

  it('is a report if the only field beside an id is a numeric status code (handlers/clickatell)', async () => {
    const { by, reads } = await discovered(
      [5, 4].map((statusCode) => json({ messageId: 'msg-1', statusCode })),
    );
    expect(by.get('events.status.status')?.value).toBe('statusCode');
    expect(by.get('statuses.4')).toMatchObject({ value: null, isCertain: false });
    expect(reads).toMatchObject({ events: 2, of: 2 });
  });

  it.each([
    ['handlers/arabiacell', 'B=Msg&M=12025550143', 'B', 'M'],
    ['handlers/messangi', 'mo=Msg&mobile=12025550143', 'mo', 'mobile'],
  ])('is a reply if it has a number and a text and nothing else: %s', async (_, body, text, from) => {
    const { by } = await discovered([form(body)]);
    expect(by.get('events.reply.text')).toMatchObject({ value: text, isCertain: false });
    expect(by.get('events.reply.from')).toMatchObject({ value: from });
  });
});

describe('the numbers of a reply', () => {
  it('are told apart by their names, in addresses and in a list without ids (handlers/globe)', async () => {
    const { by, reads } = await discovered([
      json({
        inboundSMSMessageList: {
          inboundSMSMessage: [
            {
              dateTime: 'Thu Jan 15 2026 12:00:00 GMT+0000 (UTC)',
              destinationAddress: 'tel:21581234',
              messageId: null,
              message: 'hello world',
              senderAddress: 'tel:+12025550143',
            },
          ],
          numberOfMessagesInThisBatch: 1,
        },
      }),
    ]);
    expect(by.get('events.list')?.value).toBe('inboundSMSMessageList.inboundSMSMessage[]');
    expect(by.get('events.reply.from')?.value).toBe('senderAddress');
    expect(by.get('events.reply.to')?.value).toBe('destinationAddress');
    expect(reads).toMatchObject({ events: 1, of: 1 });
  });

  it('are the sender where there is only one (handlers/dart)', async () => {
    const { by } = await discovered([get('original=12025550143&sendto=20200&message=Msg&messageid=foo')]);
    expect(by.get('events.reply.from')).toMatchObject({ value: 'original', isCertain: false });
    expect(by.get('events.reply.to')?.value).toBe('sendto');
  });

  it('are never a recipient alone', async () => {
    const { by } = await discovered([json({ destination: '12025550143', text: 'Yes please' })]);
    expect(by.get('events.reply.from')).toMatchObject({ value: 'destination', isCertain: false });
    expect(by.get('events.reply.to')?.value).toBeNull();
  });
});

describe('the fields of a report', () => {
  it.each([
    ['dlrid', 'handlers/bongolive'],
    ['ret_id', 'handlers/highconnection'],
    ['TransactionID', 'handlers/mtn'],
    ['deliveryTicketUuid', 'any'],
  ])('an id may have the name %s, and is a guess then (%s)', async (name) => {
    const { by } = await discovered([json({ [name]: 'rrt-58503', deliveryStatus: 'DELIVRD' })]);
    expect(by.get('events.status.messageId')).toMatchObject({ value: name, isCertain: false });
  });

  it('the id of a message is beside its number if the envelope has the type of the event', async () => {
    const { by } = await discovered(
      [1, 2, 3].map((index) =>
        json({
          id: `event-${index}`,
          type: 'message.phone.delivered',
          data: { id: `m-1000${index}`, contact: `+1202555014${index}`, content: 'Hello' },
        }),
      ),
    );
    expect(by.get('events.status.messageId')?.value).toBe('data.id');
    expect(by.get('events.id')?.value).toBe('id');
  });

  it('of two statuses the later one counts (handlers/wavy)', async () => {
    const sent = { id: 'm-10001', sentStatusCode: 2, sentStatus: 'SENT_SUCCESS' };
    const { by, contract } = await discovered([
      json(sent),
      json({ ...sent, deliveredStatusCode: 4, deliveredStatus: 'DELIVERED_SUCCESS' }),
    ]);
    expect(by.get('events.status.status')).toMatchObject({
      value: 'deliveredStatus || sentStatus',
      isCertain: false,
    });
    expect(by.get('events.status.errorCode')?.value).toBeNull();
    expect(contract.statuses).toMatchObject({ SENT_SUCCESS: 'sent', DELIVERED_SUCCESS: 'delivered' });
  });

  it('a code means what a text beside it says (handlers/zenviaold)', async () => {
    const { by } = await discovered([json({ id: 'hs-765939216', status: '03', statusMessage: 'Delivered' })]);
    expect(by.get('statuses.03')).toMatchObject({
      value: 'delivered',
      isCertain: false,
      note: 'by statusMessage: Delivered',
    });
  });

  it.each(['statusMessage', 'desc', 'status_text'])('a code means what %s says', async (name) => {
    const { by } = await discovered([json({ id: 'hs-765939216', status: '1', [name]: 'DELIVERED' })]);
    expect(by.get('statuses.1')).toMatchObject({ value: 'delivered', isCertain: false });
    expect(by.get('events.status.errorText')?.value ?? '').not.toBe(name);
  });

  it('have no meaning for a number alone, and none that reverses a word', async () => {
    const { contract } = await discovered(
      ['1', 'NOT-SENT', 'SUBMIT_SUCCESS'].map((status) => json({ message_id: 'm-10001', status })),
    );
    expect(contract.statuses).not.toHaveProperty('1');
    expect(contract.statuses).not.toHaveProperty('NOT-SENT');
    expect(contract.statuses).toMatchObject({ SUBMIT_SUCCESS: 'sent' });
  });
});
