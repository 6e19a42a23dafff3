import { describe, expect, it } from 'vitest';
import { detailTypes } from '../../../../../events/event-types.ts';
import { optOutTypes, workOptOut } from '../../../../../functions/automations/opt-out/work-opt-out.ts';
import { readBusMessage } from '../../../../../functions/automations/runner/bus-message.ts';
import type { Notice } from '../../../../../functions/base/notices-client.ts';
import type { Result } from '../../../../../functions/base/sms-service/request.ts';
import type { ContactInput } from '../../../../../functions/base/sms-service/service-client.ts';
import { consent, noNumbers, phone, queued, reply } from '../runner/bus-messages.ts';

type State = 'out' | 'in' | undefined;

const stopList = '3f1f5f6e-6f0b-4f5e-8c0c-0d8a7a1f2b3c';
const busy: Result<string> = {
  kind: 'error',
  error: {
    kind: 'too-many-requests',
    operation: 'create contact',
    status: 429,
    body: 'about +12025550143',
    retryAfterMs: 90_000,
  },
};

/** @param said what the register says, one read after the other; the last stays */
function automation(said: readonly State[], answer: Result<string> = { kind: 'ok', value: 'id' }) {
  const contacts: ContactInput[] = [];
  const notices: Notice[] = [];
  let reads = 0;
  let connections = 0;
  const dependencies = {
    register: {
      read: async () => {
        const state = said[Math.min(reads++, said.length - 1)];
        return state === undefined ? undefined : { state };
      },
    },
    service: async () => {
      connections++;
      return {
        createContact: async (contact: ContactInput) => {
          contacts.push(contact);
          return answer;
        },
      };
    },
    lists: { out: [stopList], in: [] },
    notices: { send: async (notice: Notice) => void notices.push(notice) },
  };
  const work = (detailType: string, detail: object) =>
    workOptOut(readBusMessage(queued(detailType, detail), optOutTypes), dependencies);
  return { contacts, notices, work, connections: () => connections };
}

describe('an opt-out or opt-in', () => {
  it('moves the contact to the lists of the state in the register, whatever the event says', async () => {
    const { work, contacts } = automation(['out']);
    await work(detailTypes.optIn, consent);
    expect(contacts).toEqual([{ phone, lists: [stopList] }]);
  });

  it('is applied again if the register changes during the call', async () => {
    const { work, contacts } = automation(['out', 'in']);
    await work(detailTypes.optOut, consent);
    expect(contacts).toEqual([{ phone, lists: [stopList] }, { phone }]);
  });

  it('is retried if the register changes during each call', async () => {
    const { work, contacts } = automation(['out', 'in', 'out', 'in', 'out']);
    await expect(work(detailTypes.optOut, consent)).rejects.toMatchObject({ name: 'WaitForTurnError' });
    expect(contacts).toHaveLength(3);
  });

  it('of an erased number creates no contact', async () => {
    const { work, contacts, connections } = automation([undefined]);
    await work(detailTypes.optOut, consent);
    expect([contacts, connections()]).toEqual([[], 0]);
    const during = automation(['out', undefined]);
    await during.work(detailTypes.optOut, consent);
    expect(during.contacts).toHaveLength(1);
  });

  it.each(noNumbers)('of %j, which is no number, writes no contact', async (text) => {
    const { work, contacts, connections } = automation(['out']);
    await work(detailTypes.optOut, { ...consent, phone: text });
    expect([contacts, connections()]).toEqual([[], 0]);
  });

  it('of a number that may be two writes the contact in the spelling of the service', async () => {
    const { work, contacts } = automation(['out']);
    await work(detailTypes.optOut, { ...consent, phone: '4795550119' });
    expect(contacts).toMatchObject([{ phone: '4795550119' }]);
  });

  it('is retried when the service asks, without quoting the service', async () => {
    const { work } = automation(['out'], busy);
    await expect(work(detailTypes.optOut, consent)).rejects.toMatchObject({
      name: 'RetryLaterError',
      message: 'create contact: too-many-requests (429)',
      seconds: 90,
    });
  });
});

describe('a reply to the opt-out automation', () => {
  it('that may mean stop is sent to an operator, without its text and whole number', async () => {
    const { work, notices, contacts } = automation([undefined]);
    await work(detailTypes.replyReceived, {
      ...reply,
      replyId: 'reply-1\nReply: another',
      text: 'stop texting me',
      mayMeanStop: true,
    });
    expect(contacts).toEqual([]);
    expect(notices).toHaveLength(1);
    const { subject = '', text = '' } = notices[0] ?? {};
    expect(subject).toMatch(/^[\x20-\x7e]{1,99}$/);
    expect(text).toContain('•••0143');
    expect(text).toContain('reply-1 Reply: another\n');
    expect(text).toContain('sms number show <number>');
    expect(text).not.toMatch(/texting|2025550143/);
  });

  it('that may mean stop is sent to an operator also if its sender is no number', async () => {
    const { work, notices } = automation([undefined]);
    await work(detailTypes.replyReceived, { ...reply, from: 'ACME', mayMeanStop: true });
    expect(notices).toHaveLength(1);
  });

  it.each([
    [`wamid.${Buffer.from('\x1c\x18\x0b12025550143\x15\x02').toString('base64')}`, 'wamid.•••NDMVAg=='],
    ['1000001/12025550144', '1000001/•••0144'],
  ])('with the id %s leads to a notice without the number in it', async (replyId, shown) => {
    const { work, notices } = automation([undefined]);
    await work(detailTypes.replyReceived, { ...reply, replyId, mayMeanStop: true });
    expect(notices[0]?.text).toContain(`Reply:  ${shown}\n`);
  });

  it('of any other kind is ignored', async () => {
    const { work, notices, contacts } = automation(['out']);
    await work(detailTypes.replyReceived, reply);
    expect([notices, contacts]).toEqual([[], []]);
  });
});
