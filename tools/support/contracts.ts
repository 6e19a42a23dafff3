import { parseContract } from '../../contract/document/parse.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import shipped from '../../contract.json' with { type: 'json' };

/** The contract that ships, as it stands in the file. */
export const shippedContractJson: unknown = shipped;

/** The contract that ships: Standard Webhooks, JSON, ISO 8601. */
export const shippedContract: Contract = parseContract(shipped);

/** GitHub-style signature over the body alone, form-encoded events, words of its own, an event id in the body. */
export const formContractJson = {
  ...shipped,
  webhook: {
    signature: {
      scheme: 'hmac',
      algorithm: 'sha256',
      encoding: 'hex',
      header: 'X-Hub-Signature-256',
      prefix: 'sha256=',
      signedContent: '{body}',
      secret: { encoding: 'utf8' },
    },
    acknowledge: { status: 202 },
    bodyFormat: 'form',
  },
  events: {
    list: '[@]',
    kind: "ReplyText && 'sms.reply' || 'sms.status'",
    id: { from: 'body', path: 'EventSid' },
    timeFormat: 'unix-seconds',
    defaultCountry: 'US',
    status: {
      messageId: 'MessageSid',
      recipient: 'To',
      status: 'MessageStatus',
      occurredAt: 'Time',
      errorCode: 'ErrorCode',
    },
    reply: { replyId: 'ReplySid', from: 'From', to: 'To', text: 'ReplyText', occurredAt: 'Time' },
  },
  statuses: { submitted: 'sent', done: 'delivered', bounced: 'undelivered' },
  samples: [
    {
      name: 'a status callback',
      body: {
        EventSid: 'EV1',
        MessageSid: 'SM1',
        To: '(202) 555-0143',
        MessageStatus: 'bounced',
        Time: '1768478405',
        ErrorCode: '42',
      },
      becomes: [
        {
          kind: 'sms.status',
          eventId: 'EV1',
          messageId: 'SM1',
          phone: '+12025550143',
          status: 'undelivered',
          word: 'bounced',
          occurredAt: '2026-01-15T12:00:05.000Z',
          errorCode: '42',
        },
      ],
    },
    {
      name: 'an inbound message',
      body: {
        EventSid: 'EV2',
        ReplySid: 'RE1',
        From: '+12025550143',
        To: '+12025550100',
        ReplyText: 'Yes & no',
        Time: '1768478458',
      },
      becomes: [
        {
          kind: 'sms.reply',
          replyId: 'RE1',
          from: '+12025550143',
          text: 'Yes & no',
          occurredAt: '2026-01-15T12:00:58.000Z',
        },
      ],
    },
  ],
};

export const formContract: Contract = parseContract(formContractJson);

/** A static token in a header, events nested two levels deep, Unix milliseconds, identity by content. */
export const nestedContractJson = {
  ...shipped,
  webhook: {
    signature: { scheme: 'token', header: 'Authorization', prefix: 'Token ' },
    acknowledge: { status: 204 },
    bodyFormat: 'json',
  },
  events: {
    list: 'payload.batches[].items[]',
    kind: "type == 'MO' && 'sms.reply' || type == 'DLR' && 'sms.status' || type",
    id: { from: 'content' },
    timeFormat: 'unix-milliseconds',
    status: {
      messageId: 'report.ref',
      sendId: 'report.campaign',
      recipient: 'report.msisdn',
      status: 'report.state',
      occurredAt: 'ts',
    },
    reply: { from: 'inbound.msisdn', text: 'inbound.body', occurredAt: 'ts' },
  },
  statuses: { DELIVRD: 'delivered', UNDELIV: 'undelivered', ENROUTE: 'sent' },
  samples: [
    {
      name: 'a delivery receipt',
      body: {
        payload: {
          batches: [
            {
              items: [
                {
                  type: 'DLR',
                  ts: 1768478405000,
                  report: { ref: 77, campaign: 'c-1', msisdn: '12025550143', state: 'DELIVRD' },
                },
              ],
            },
          ],
        },
      },
      becomes: [
        {
          kind: 'sms.status',
          messageId: '77',
          sendId: 'c-1',
          phone: '+12025550143',
          status: 'delivered',
          word: 'DELIVRD',
        },
      ],
    },
    {
      name: 'a mobile-originated message',
      body: {
        payload: {
          batches: [
            { items: [{ type: 'MO', ts: 1768478458000, inbound: { msisdn: '12025550143', body: 'hello' } }] },
          ],
        },
      },
      becomes: [
        { kind: 'sms.reply', from: '+12025550143', text: 'hello', occurredAt: '2026-01-15T12:00:58.000Z' },
      ],
    },
  ],
};

export const nestedContract: Contract = parseContract(nestedContractJson);

/** A secret as its owner writes it, for each of the contracts. */
export const contracts = [
  { name: 'shipped', contract: shippedContract, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  { name: 'form', contract: formContract, secret: 'a secret of text' },
  { name: 'nested', contract: nestedContract, secret: 'a-static-token' },
] as const;
