import { describe, expect, it } from 'vitest';
import { detailTypes } from '../../../../../events/event-types.ts';
import { leaseMs } from '../../../../../functions/automations/contact-sync/contact-lease-store.ts';
import {
  contactSyncTypes,
  syncContact,
} from '../../../../../functions/automations/contact-sync/sync-contact.ts';
import { readBusMessage } from '../../../../../functions/automations/runner/bus-message.ts';
import type { Result } from '../../../../../functions/base/sms-service/request.ts';
import type { ContactInput } from '../../../../../functions/base/sms-service/service-client.ts';
import { memoryContactLease } from '../../../../support/fakes/contact-lease.ts';
import { noNumbers, phone, queued, reply } from '../runner/bus-messages.ts';

const now = Date.parse('2026-01-15T12:00:00.000Z');
const day = 86_400_000;
const done: Result<string> = { kind: 'ok', value: 'id' };
const busy: Result<string> = {
  kind: 'error',
  error: {
    kind: 'too-many-requests',
    operation: 'create contact',
    status: 429,
    body: '',
    retryAfterMs: 5000,
  },
};

function automation({ answer = done, lists = [] as readonly string[], lease = memoryContactLease() } = {}) {
  const contacts: ContactInput[] = [];
  const calls: unknown[][] = [];
  const recorded =
    <I extends unknown[], O>(name: string, call: (...input: I) => O) =>
    (...input: I): O => {
      calls.push([name, ...input]);
      return call(...input);
    };
  const dependencies = {
    lease: {
      claim: recorded('claim', lease.claim),
      finish: recorded('finish', lease.finish),
      release: recorded('release', lease.release),
    },
    service: async () => ({
      createContact: async (contact: ContactInput) => {
        contacts.push(contact);
        return answer;
      },
    }),
    lists,
    clock: () => now,
    newId: () => 'owner',
  };
  const sync = (detail = {}) =>
    syncContact(
      readBusMessage(queued(detailTypes.replyReceived, { ...reply, ...detail }), contactSyncTypes),
      dependencies,
    );
  return { contacts, calls, sync };
}

describe('a reply', () => {
  it('writes the contact without unknown fields, and keeps the lease for the period', async () => {
    const { sync, contacts, calls } = automation();
    await sync();
    expect(contacts).toEqual([{ phone }]);
    expect(calls).toEqual([
      ['claim', phone, 'owner', now],
      ['finish', phone, 'owner', now + day],
    ]);
  });

  it('attaches the contact to the configured lists', async () => {
    const { sync, contacts } = automation({ lists: ['list'] });
    await sync();
    expect(contacts).toEqual([{ phone, lists: ['list'] }]);
  });

  it('does nothing within the period of an earlier one', async () => {
    const { sync, contacts } = automation();
    await sync();
    await sync();
    expect(contacts).toHaveLength(1);
  });

  it.each([
    ['says STOP', { text: 'STOP', keyword: 'stop' }],
    ['may mean it', { text: 'stop texting me', mayMeanStop: true }],
  ] as const)('that %s attaches no number to a list, and claims no lease', async (_, reply) => {
    const { sync, contacts, calls } = automation({ lists: ['list'] });
    await sync(reply);
    expect([contacts, calls]).toEqual([[], []]);
  });

  it.each(noNumbers)('from %j, which is no number, writes no contact, and claims no lease', async (from) => {
    const { sync, contacts, calls } = automation();
    await sync({ from });
    expect([contacts, calls]).toEqual([[], []]);
  });

  it("is redelivered after the lease of the number's concurrent attempt ends", async () => {
    const lease = memoryContactLease();
    await lease.claim(phone, 'another', now + 90_500 - leaseMs);
    const { sync, contacts } = automation({ lease });
    await expect(sync()).rejects.toMatchObject({ name: 'WaitForTurnError', seconds: 91 });
    expect(contacts).toEqual([]);
  });
});

describe('a failed contact write', () => {
  it('releases the lease, and is retried when the service asks', async () => {
    const { sync, calls } = automation({ answer: busy });
    await expect(sync()).rejects.toMatchObject({ name: 'RetryLaterError', seconds: 5 });
    expect(calls.map(([name]) => name)).toEqual(['claim', 'release']);
  });

  it('is thrown unchanged, even if the lease cannot be released', async () => {
    const { sync } = automation({
      answer: busy,
      lease: { ...memoryContactLease(), release: () => Promise.reject(new Error('no table')) },
    });
    await expect(sync()).rejects.toThrow('create contact: too-many-requests (429)');
  });
});
