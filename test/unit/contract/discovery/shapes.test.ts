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
  'lists of statuses and of messages, deep in it, Unix seconds as text': (sms) => ({
    object: 'account',
    entry: [
      {
        id: '1029384756',
        changes: [
          {
            field: 'messages',
            value: {
              metadata: { display_phone_number: '12025550100', phone_number_id: '5566778899' },
              ...(sms.isReply
                ? {
                    messages: [
                      {
                        from: sms.person,
                        id: `in.${sms.index}`,
                        timestamp: String(sms.at / 1000),
                        type: 'text',
                        text: { body: 'hi there' },
                      },
                    ],
                  }
                : {
                    statuses: [
                      {
                        id: sms.message,
                        status: ['sent', 'delivered', 'failed'][sms.outcome],
                        timestamp: String(sms.at / 1000),
                        recipient_id: sms.person,
                        ...(sms.outcome === 2
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
  'a list of its own for each kind, dates without a zone': (sms) =>
    sms.isReply
      ? {
          InboundMessages: [
            {
              MoId: 9000 + sms.index,
              Source: sms.person,
              Dest: '22555',
              Content: 'hi there',
              Date: plain(sms.at),
            },
          ],
        }
      : {
          DeliveryReports: [
            {
              ApiMsgId: sms.message,
              Msisdn: sms.person,
              StatusText: ['Submitted', 'Delivered', 'Undeliverable'][sms.outcome],
              DoneDate: plain(sms.at),
            },
          ],
        },
  'the kind is the status, and the event has an id': (sms) =>
    sms.isReply
      ? {
          event: 'inbound',
          event_id: `ev${sms.index}`,
          sms: { id: `r${sms.index}`, from: sms.person, to: '12025550100', body: 'hi there' },
          created_at: iso(sms.at),
        }
      : {
          event: ['sent', 'delivered', 'failed'][sms.outcome],
          event_id: `ev${sms.index}`,
          sms: { id: sms.message, to: sms.person },
          created_at: iso(sms.at),
        },
  'numbers for all there is': (sms) => ({
    data: {
      payload: {
        type: sms.isReply ? 2 : 1,
        when: sms.at,
        msisdn: Number(sms.person),
        ...(sms.isReply
          ? { inbound_id: 1_000_000 + sms.index, message: 'hi there' }
          : {
              message_id: Number(sms.message.slice(1)),
              status: ['sent', 'delivered', 'failed'][sms.outcome],
            }),
      },
    },
  }),
  'the message is related, and the id beside is of the event': (sms) => ({
    data: {
      type: sms.isReply ? 'inbound-message' : 'message-status',
      id: `evt_${sms.index}`,
      attributes: {
        occurred_at: iso(sms.at),
        ...(sms.isReply
          ? { sender: sms.person, recipient: '12025550100', content: 'hi there' }
          : { status: ['sent', 'delivered', 'failed'][sms.outcome], recipient: sms.person }),
      },
      relationships: {
        message: { data: { type: 'message', id: sms.isReply ? `r${sms.index}` : sms.message } },
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
