import { describe, expect, it } from 'vitest';
import { contractToWrite } from '../../../../contract/discovery/contract-to-write.ts';
import { parseContract } from '../../../../contract/document/parse.ts';
import { createMapper } from '../../../../contract/events/mapping.ts';
import { shippedContract } from '../../../../tools/support/contracts.ts';
import { captureWith, found } from './services.ts';

const noon = Date.parse('2026-01-15T12:00:00.000Z');

/** One event of a service, before it is spelled as that service does. */
interface Facts {
  readonly isReply: boolean;
  readonly index: number;
  readonly message: string;
  /** 0 on its way, 1 arrived, 2 failed. */
  readonly outcome: number;
  /** Without its plus. */
  readonly person: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

const iso = (at: number) => new Date(at).toISOString();
const plain = (at: number) => iso(at).replace('T', ' ').slice(0, 19);

/** Bodies of invented services, each with its own names, nesting, lists, ids and times. */
const shapes: Readonly<Record<string, (facts: Facts) => unknown>> = {
  'lists of statuses and of messages, deep in it, Unix seconds as text': ({
    isReply,
    index,
    message,
    outcome,
    person,
    at,
  }) => ({
    object: 'account',
    entry: [
      {
        id: '1029384756',
        changes: [
          {
            field: 'messages',
            value: {
              metadata: { display_phone_number: '12025550100', phone_number_id: '5566778899' },
              ...(isReply
                ? {
                    messages: [
                      {
                        from: person,
                        id: `in.${index}`,
                        timestamp: String(at / 1000),
                        type: 'text',
                        text: { body: 'hi there' },
                      },
                    ],
                  }
                : {
                    statuses: [
                      {
                        id: message,
                        status: ['sent', 'delivered', 'failed'][outcome],
                        timestamp: String(at / 1000),
                        recipient_id: person,
                        ...(outcome === 2
                          ? { errors: [{ code: 131026, title: 'Message undeliverable' }] }
                          : {}),
                      },
                    ],
                  }),
            },
          },
        ],
      },
    ],
  }),
  'a list of its own for each kind, dates without a zone': ({
    isReply,
    index,
    message,
    outcome,
    person,
    at,
  }) =>
    isReply
      ? {
          InboundMessages: [
            { MoId: 9000 + index, Source: person, Dest: '22555', Content: 'hi there', Date: plain(at) },
          ],
        }
      : {
          DeliveryReports: [
            {
              ApiMsgId: message,
              Msisdn: person,
              StatusText: ['Submitted', 'Delivered', 'Undeliverable'][outcome],
              DoneDate: plain(at),
            },
          ],
        },
  'a list at the top, short names, Unix milliseconds': ({ isReply, index, message, outcome, person, at }) => [
    isReply
      ? { evt: 'mo', uid: `r-${index}77`, src: person, dst: '+12025550100', txt: 'hi there', ts: at }
      : { evt: 'dlr', uid: message, dst: person, state: ['ENROUTE', 'DELIVRD', 'UNDELIV'][outcome], ts: at },
  ],
  'the kind is the status, and the event has an id': ({ isReply, index, message, outcome, person, at }) =>
    isReply
      ? {
          event: 'inbound',
          event_id: `ev${index}`,
          sms: { id: `r${index}`, from: person, to: '12025550100', body: 'hi there' },
          created_at: iso(at),
        }
      : {
          event: ['sent', 'delivered', 'failed'][outcome],
          event_id: `ev${index}`,
          sms: { id: message, to: person },
          created_at: iso(at),
        },
  'numbers for all there is': ({ isReply, index, message, outcome, person, at }) => ({
    data: {
      payload: {
        type: isReply ? 2 : 1,
        when: at,
        msisdn: Number(person),
        ...(isReply
          ? { inbound_id: 1_000_000 + index, message: 'hi there' }
          : { message_id: Number(message.slice(1)), status: ['sent', 'delivered', 'failed'][outcome] }),
      },
    },
  }),
  'hyphens, the person beside a sender, an error of zero': ({
    isReply,
    index,
    message,
    outcome,
    person,
    at,
  }) =>
    isReply
      ? {
          msisdn: person,
          to: '12025550100',
          messageId: `r${index}`,
          text: 'hi there',
          type: 'text',
          'message-timestamp': plain(at),
        }
      : {
          ...{ msisdn: person, to: 'AcmeInc', 'network-code': '20801', messageId: message, price: '0.03' },
          status: ['buffered', 'delivered', 'failed'][outcome],
          'err-code': outcome === 2 ? '6' : '0',
          'message-timestamp': plain(at),
        },
  'the message is related, and the id beside is of the event': ({
    isReply,
    index,
    message,
    outcome,
    person,
    at,
  }) => ({
    data: {
      type: isReply ? 'inbound-message' : 'message-status',
      id: `evt_${index}`,
      attributes: {
        occurred_at: iso(at),
        ...(isReply
          ? { sender: person, recipient: '12025550100', content: 'hi there' }
          : { status: ['sent', 'delivered', 'failed'][outcome], recipient: person }),
      },
      relationships: { message: { data: { type: 'message', id: isReply ? `r${index}` : message } } },
    },
  }),
  'unusual names': ({ isReply, index, message, outcome, person, at }) => ({
    notification: {
      stamp: iso(at),
      about: isReply
        ? { answer: { key: `k${index}999`, msgContent: 'hi there', origin: { phone: `+${person}` } } }
        : {
            progress: {
              key: message,
              phase: ['sent', 'delivered', 'failed'][outcome],
              dest: { phone: `+${person}` },
            },
          },
    },
  }),
};

const facts = Array.from({ length: 30 }, (_, index): Facts => {
  const number = Math.floor(index / 2);
  return {
    ...{ isReply: index % 5 === 4, index, at: noon + index * 5000 },
    message: `m${7_000_001 + number * 13}`,
    outcome: index % 2 === 0 ? 0 : 1 + (number % 2),
    person: `120255501${10 + number}`,
  };
});

describe('discovery, for an unknown service', () => {
  it.each(Object.entries(shapes))('%s', async (_name, spell) => {
    const captures = facts.map((one) =>
      captureWith(Buffer.from(JSON.stringify(spell(one))), 'application/json', iso(one.at)),
    );
    const discovery = await found(captures);
    const map = createMapper(discovery.contract);
    const read = captures.flatMap(({ body }) => map(body, undefined, ''));
    expect(read.map((one) => one.kind === 'event' && { ...one.event, rank: undefined })).toMatchObject(
      facts.map(({ isReply, message, outcome, person, at }) =>
        isReply
          ? { kind: 'sms.reply', from: `+${person}`, text: 'hi there', occurredAt: iso(at) }
          : {
              kind: 'sms.status',
              messageId: expect.stringContaining(message.slice(1)),
              phone: `+${person}`,
              status: expect.stringMatching(
                [/sent|queued/, /delivered/, /failed|undelivered/][outcome] ?? /^$/,
              ),
              occurredAt: iso(at),
            },
      ),
    );
    const { contract } = contractToWrite(discovery, shippedContract) ?? {};
    const { samples } = parseContract(JSON.parse(JSON.stringify(contract)));
    expect(samples.map(({ becomes }) => becomes?.length)).toEqual([1, 1, 1, 1]);
    expect(JSON.stringify(samples)).not.toMatch(/1202555011|m?70000\d\d|hi there|Acme/);
  });

  it('reads bodies with several events and unknown words', async () => {
    const reports = [0, 1, 2].map((body) => ({
      sent: iso(noon),
      reports: [0, 1, 2].map((one) => ({
        message_ref: `m-${body}-${one}00`,
        number: `1202555011${one}`,
        state: one === 1 ? 'HELD' : 'DELIVRD',
      })),
    }));
    const captures = reports.map((one) =>
      captureWith(Buffer.from(JSON.stringify(one)), 'application/json', iso(noon)),
    );
    const { contract, reads, proposals } = await found(captures);
    expect(contract.events.list).toBe('reports[]');
    expect(reads).toMatchObject({ events: 9, of: 9 });
    expect(proposals).toContainEqual(
      expect.objectContaining({ key: 'statuses.HELD', value: null, isCertain: false }),
    );
    expect(contract.statuses).not.toHaveProperty('HELD');
  });
});
