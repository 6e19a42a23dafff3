import { describe, expect, it } from 'vitest';
import { contractHash } from '../../../../../contract/events/body.ts';
import { createMapper } from '../../../../../contract/events/mapping.ts';
import type { Contract } from '../../../../../contract/schema/contract-schema.ts';
import { postedJson } from '../../../../../contract/schema/request-form.ts';
import { createVerifier } from '../../../../../contract/signature/verify.ts';
import {
  contracts,
  formContractJson,
  nestedContractJson,
  shippedContract,
} from '../../../../../tools/support/contracts.ts';
import { commandLine, noonPlus, recordingPost } from '../../support/harness.ts';
import { temporaryFiles } from '../../support/temporary-directory.ts';

const file = temporaryFiles();
const url = 'https://api.example.test/webhooks/sms';
const now = Date.parse(noonPlus(0));
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

function sender(current = secret, status = 200, answer = '', deployed = shippedContract) {
  const { post, posted } = recordingPost(status, answer);
  const document = { version: 1, current: { secret: current, since: noonPlus(0) } } as const;
  const connection = {
    contractHash: async () => contractHash(deployed),
    webhookUrl: async () => url,
    webhookSecret: async () => document,
  };
  return { posted, ...commandLine({ connection, post }) };
}

/** Reads what was posted as the pipeline would. */
function received(contract: Contract, posted: ReturnType<typeof recordingPost>['posted'], key = secret) {
  const [request] = posted;
  if (request === undefined || posted.length > 1) throw new Error(`posted ${posted.length} requests`);
  const verdict = createVerifier(contract.webhook.signature, postedJson)(request, [key], now);
  const signedId = verdict.kind === 'verified' ? verdict.signedId : undefined;
  const [mapped] = createMapper(contract)(request.body, signedId, new Date(now).toISOString());
  return {
    verified: verdict.kind === 'verified',
    event: mapped?.kind === 'event' ? mapped.event : undefined,
  };
}

describe.each(contracts)('webhook test by the contract "$name"', ({ name, contract, secret: current }) => {
  const path = file(`${name}.json`, contract);

  it.each([
    [
      ['--message-id', 'm-7', '--status', 'sent'],
      { kind: 'sms.status', messageId: 'm-7', phone: '+12025550143' },
    ],
    [['--kind', 'reply', '--text', 'Olá'], { kind: 'sms.reply', from: '+12025550143', text: 'Olá' }],
  ])('posts what the pipeline verifies and reads: %j', async (options, event) => {
    const { sms, posted } = sender(current, 200, '', contract);
    const { code, err } = await sms('webhook', 'test', '--contract', path, ...options);
    expect([code, err]).toEqual([0, '']);
    expect(received(contract, posted, current)).toMatchObject({
      verified: true,
      event: { ...event, occurredAt: noonPlus(0) },
    });
  });
});

describe('webhook test', () => {
  it.each([
    [
      '--status undelivered --to +442079460018 --send-id s --at 2026-01-15T08:00',
      {
        kind: 'sms.status',
        sendId: 's',
        phone: '+442079460018',
        status: 'undelivered',
        rank: 100,
        occurredAt: '2026-01-15T11:00:00.000Z',
      },
    ],
    [
      '--kind reply --reply-id r --from +442079460018 --to 12345 --text ok',
      {
        kind: 'sms.reply',
        replyId: 'r',
        text: 'ok',
        from: '+442079460018',
        to: '12345',
        occurredAt: noonPlus(0),
      },
    ],
  ])('uses the options %s', async (options, event) => {
    const { sms, posted } = sender();
    await sms('webhook', 'test', ...options.split(' '), '--message-id', 'm', '--event-id', 'e');
    expect(received(shippedContract, posted).event).toEqual({ ...event, messageId: 'm', eventId: 'e' });
  });

  it('invents a send for a new message only', async () => {
    const { sms, posted } = sender();
    await sms('webhook', 'test');
    await sms('webhook', 'test', '--message-id', 'known');
    expect(posted.map((request) => received(shippedContract, [request]).event)).toMatchObject([
      { messageId: 'msg-00000002', sendId: 'send-00000002' },
      expect.not.objectContaining({ sendId: expect.anything() }),
    ]);
  });

  it('masks the number of a reply, also in the command to look it up', async () => {
    const { sms } = sender();
    const masked = await sms('webhook', 'test', '--kind', 'reply');
    expect(masked.out).toContain('From   ');
    expect(masked.out).not.toContain('2025550143');
    const revealed = await sms('webhook', 'test', '--kind', 'reply', '--reveal');
    expect(revealed.out).toContain('number show +12025550143');
  });

  it('warns of a status that the contract does not list, and of what is not a number, and sends both', async () => {
    const { sms, posted } = sender();
    const { code, err } = await sms('webhook', 'test', '--status', 'blah', '--to', '12');
    expect([code, posted.length]).toEqual([0, 1]);
    expect(err).toMatch(/^warning: The contract does not list the status "blah".* It lists .*delivered/);
    expect(err).toContain('warning: --to is not a phone number, and is sent as it is.\n');
  });

  it('signs nothing when the contract has no signature, and needs no secret', async () => {
    const signature = { scheme: 'none', anyoneMayPost: true };
    const webhook = { signature, acknowledge: {}, bodyFormat: 'json' };
    const path = file('unsigned.json', { ...nestedContractJson, webhook });
    const { post, posted } = recordingPost(200);
    const { sms } = commandLine({ connection: { webhookUrl: async () => url }, post });
    expect((await sms('webhook', 'test', '--contract', path, '--accept-mismatch')).code).toBe(0);
    expect(posted[0]?.headers).toEqual({ 'content-type': 'application/json' });
  });
});

it('webhook test passes where the webhook refuses the address of this machine, and says that nothing was sent', async () => {
  const refusing = () => sender(secret, 403, '{"message":"Source address not allowed"}');
  const { code, out, err } = await refusing().sms('webhook', 'test');
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain('not in sms:allowedSourceIps');
  expect(out).toContain('not that it accepts events');
  const json = await refusing().sms('webhook', 'test', '--json');
  expect(JSON.parse(json.out)).toEqual({ kind: 'address-refused', url });
});

describe('webhook test fails', () => {
  it.each([
    [401, 'did not accept the signature'],
    [403, 'Refused with HTTP 403'],
    [404, 'The address does not exist'],
    [413, 'too large'],
    [429, 'It is throttling'],
    [503, 'try again'],
    [302, 'Refused with HTTP 302'],
  ])('where the webhook answers %i', async (status, line) => {
    const { code, out, err } = await sender(secret, status, '{"message":"no\u001b[2J"}').sms(
      'webhook',
      'test',
      '--json',
    );
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(`error: Refused with HTTP ${status} by ${url}.`);
    expect(err).toContain(line);
    expect(err).toContain('Answer: {"message":"no"}');
    expect(err).not.toContain('whsec');
  });

  it('when no secret is stored yet, and explains how to get one', async () => {
    const { post } = recordingPost(200);
    const connection = { webhookUrl: async () => url, webhookSecret: async () => undefined };
    const { code, err } = await commandLine({ connection, post }).sms('webhook', 'test', '--local');
    expect(code).toBe(1);
    expect(err).toContain('sms webhook register --local');
    expect(err).toContain('with registration off "sms webhook store-secret --local"');
  });
});

describe('webhook test refuses as wrong usage', () => {
  const form = file('form-usage.json', formContractJson);
  const nested = file('nested-usage.json', nestedContractJson);
  const computed = file('computed.json', {
    ...formContractJson,
    events: {
      ...formContractJson.events,
      status: { ...formContractJson.events.status, sendId: 'length(To)' },
    },
  });

  it.each([
    [['--text', 'hi'], '--text does not apply to --kind status'],
    [['--kind', 'reply', '--status', 'sent'], '--status does not apply to --kind reply'],
    [['--at', 'tomorrow'], '--at "tomorrow" is not a valid time'],
    [['--at', '2026-02-30T00:00:00Z'], 'does not exist'],
    [['--message-id', 'm'.repeat(1025)], 'could not read such an event (field-too-long, field messageId)'],
    [
      ['--contract', form, '--send-id', 's'],
      '--send-id: the contract has no field for it (events.status.sendId',
    ],
    [
      ['--contract', nested, '--event-id', 'e'],
      "--event-id: the contract makes an event's id from its content",
    ],
    [['--contract', computed], 'does not name a place for it'],
    [['--status', ''], 'Expected a non-empty text'],
  ])('%j', async (options, line) => {
    const { sms, posted } = sender();
    const { code, out, err } = await sms('webhook', 'test', ...options, '--accept-mismatch');
    expect([code, out, posted]).toEqual([2, '', []]);
    expect(err).toContain(line);
  });
});
