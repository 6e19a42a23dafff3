import {
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CanonicalStatus } from '../../../contract/schema/sms-event.ts';
import { createHistoryWriter, type HistoryWriter } from '../../../functions/history/history-write-store.ts';
import {
  createHistoryReader,
  type HistoryReader,
} from '../../../functions/history/lists/history-list-store.ts';
import {
  decidingEntry,
  foldMessages,
  type Message,
  mergeMessages,
  mergeReplies,
} from '../../../functions/history/message.ts';
import { messageItem } from '../../../functions/history/message-item.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';
import { assertProperty } from '../../support/property.ts';
import { at, replied, report } from '../../support/suites/reports.ts';

let tables: HistoryTables;
let writer: HistoryWriter;
let reader: HistoryReader;

beforeAll(async () => {
  tables = await startHistoryTables();
  let generations = 0;
  const newGeneration = () => String(++generations);
  writer = createHistoryWriter(tables.client, tables.history, settings, newGeneration);
  reader = createHistoryReader(tables.client, tables.history);
});
afterAll(() => tables.stop());

async function item(pk: string) {
  const { Item } = await tables.client.send(
    new GetItemCommand({ TableName: tables.history, Key: { pk: { S: pk } } }),
  );
  return Item;
}

const settings = { retentionDays: 400, listShards: 4 };

async function erase(pk: string): Promise<void> {
  await tables.client.send(new DeleteItemCommand({ TableName: tables.history, Key: { pk: { S: pk } } }));
}

/** A writer that reads an item with its first write, which must fail; then `meanwhile` happens, and only then its second write. */
function writerInterruptedBy(meanwhile: () => Promise<unknown>): HistoryWriter {
  const { client } = tables;
  let writes = 0;
  const send: DynamoDBClient['send'] = async (...args: [never]) => {
    writes += 1;
    if (writes === 2) await meanwhile();
    return client.send(...args);
  };
  const interrupted: DynamoDBClient = Object.create(client, { send: { value: send } });
  return createHistoryWriter(interrupted, tables.history, settings);
}

/** Reports of one message, some with a cost or a route, and some of lookups and imports. */
const reports = fc
  .record({
    event: fc.constantFrom('a', 'b', 'c', 'd'),
    status: fc.constantFrom('queued', 'sent', 'failed', 'delivered', 'read'),
    second: fc.nat(3),
    cost: fc.constantFrom(
      {},
      { price: '0.0079', currency: 'USD' },
      { price: '0.03', currency: 'EUR', segments: 2 },
      { network: '310410', segments: 1 },
      { carrier: 'One' },
    ),
    origin: fc.constantFrom({}, {}, { origin: 'lookup' as const }, { origin: 'import' as const }),
  })
  .map(
    ({ event, status, second, cost, origin }) =>
      (messageId: string) =>
        report(messageId, event, status, second, { ...cost, ...origin }),
  );

describe('a message', () => {
  it('is one item in words', async () => {
    const extra = {
      phone: '+12025550143',
      sendId: 's1',
      errorCode: '30003',
      errorReason: 'unreachable' as const,
      errorText: 'no route',
      word: 'FAILED',
    };
    await writer.storeMessage(report('plain', 'e1', 'failed', 5, extra));
    expect(unmarshall((await item('message#plain')) ?? {})).toEqual({
      pk: 'message#plain',
      messageId: 'plain',
      phone: '+12025550143',
      sendId: 's1',
      sendList: expect.stringMatching(/^s1(#[1-3])?$/),
      firstSeenAt: at(50),
      status: 'failed',
      rank: 100,
      final: true,
      statusAt: at(5),
      word: 'FAILED',
      errorCode: '30003',
      errorReason: 'unreachable',
      errorText: 'no route',
      listName: expect.stringMatching(/^failed#2026-01-15(#[1-3])?$/),
      listedAt: at(5),
      reportCount: 1,
      'report#e1': {
        status: 'failed',
        at: at(5),
        receivedAt: at(50),
        word: 'FAILED',
        errorCode: '30003',
        errorReason: 'unreachable',
        errorText: 'no route',
      },
      generation: '1',
      expiresAt: Date.parse(at(50)) / 1000 + 400 * 86_400,
    });
  });

  it('has plain keys where lists are not split, and both spellings of a number', async () => {
    const plain = createHistoryWriter(tables.client, tables.history, { ...settings, listShards: 1 });
    await plain.storeMessage(report('unsplit', 'e1', 'sent', 5, { phone: '+5215512345678', sendId: 's1' }));
    expect(unmarshall((await item('message#unsplit')) ?? {})).toMatchObject({
      phone: '+525512345678',
      phoneAsWritten: '+5215512345678',
      sendId: 's1',
      sendList: 's1',
      listName: 'pending',
      listedAt: at(50),
    });
  });

  it('loses what the service said about an earlier report when another one decides', async () => {
    await writer.storeMessage(
      report('cleared', 'a', 'sent', 1, { errorCode: '1', errorText: 'slow', word: 'S' }),
    );
    await writer.storeMessage(report('cleared', 'b', 'delivered', 2));
    const stored = unmarshall((await item('message#cleared')) ?? {});
    expect(stored).toMatchObject({ status: 'delivered', final: true, reportCount: 2 });
    for (const name of ['errorCode', 'errorText', 'word', 'listName', 'listedAt'])
      expect(stored).not.toHaveProperty(name);
  });

  it('keeps the cost and the route that an earlier report said when another one decides', async () => {
    const cost = { price: '0.0079', currency: 'USD', segments: 2, network: '310410', carrier: 'One' };
    await writer.storeMessage(report('priced', 'a', 'sent', 1, cost));
    await writer.storeMessage(report('priced', 'b', 'delivered', 2));
    expect(unmarshall((await item('message#priced')) ?? {})).toMatchObject({ status: 'delivered', ...cost });
    await writer.storeMessage(report('priced', 'c', 'read', 3, { price: '0.03', currency: 'EUR' }));
    expect(unmarshall((await item('message#priced')) ?? {})).toMatchObject({
      status: 'read',
      price: '0.03',
      currency: 'EUR',
      segments: 2,
      'report#a': cost,
    });
  });

  it('keeps the price of the greatest report that has one when a write has a lesser price and decides', async () => {
    await writer.storeMessage(report('lesser', 'a', 'sent', 2, { price: '0.03', currency: 'EUR' }));
    await writer.storeMessage(
      mergeMessages(
        report('lesser', 'b', 'queued', 1, { price: '0.0079', currency: 'USD' }),
        report('lesser', 'c', 'delivered', 3),
      ),
    );
    expect(unmarshall((await item('message#lesser')) ?? {})).toMatchObject({
      status: 'delivered',
      price: '0.03',
      currency: 'EUR',
      reportCount: 3,
    });
  });

  it('loses a cost that a greater content of its report no longer has', async () => {
    await writer.storeMessage(report('corrected', 'a', 'sent', 1, { price: '0.0079', currency: 'USD' }));
    await writer.storeMessage(report('corrected', 'a', 'delivered', 1));
    expect(await item('message#corrected')).not.toHaveProperty('price');
    expect(await item('message#corrected')).not.toHaveProperty('currency');
  });

  it('has the same state in any order of its reports, alone or several at once', async () => {
    let id = 0;
    await assertProperty(
      fc.asyncProperty(
        fc.array(fc.array(reports, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
        async (writes) => {
          const messageId = `any-order-${++id}`;
          const views = writes.map((batch) =>
            foldMessages(batch.map((one) => one(messageId)) as [Message, ...Message[]]),
          );
          for (const view of views) await writer.storeMessage(view);
          const { generation: _written, ...stored } = (await item(`message#${messageId}`)) ?? {};
          const { generation: _expected, ...expected } = messageItem(
            foldMessages(views as [Message, ...Message[]]),
            'any',
            Number(stored.expiresAt?.N),
            settings,
          );
          expect(unmarshall(stored)).toEqual(unmarshall(expected));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is read back as it was written, also with unusual characters in ids', async () => {
    for (const id of ['a#b', '📱'.repeat(512), 'x'.repeat(1024), '%2F/..', ' ', 'main/a/b', 'backup/a/b']) {
      const message = report(id, 'e1', 'sent', 1, { phone: '+12025550143' });
      await writer.storeMessage(message);
      expect(await reader.message(id)).toEqual(message);
    }
  });

  it('keeps ids apart that differ only in a lone surrogate, and accepts later events of such an id', async () => {
    for (const id of ['x\ud800', 'x\ud801']) {
      await writer.storeMessage(report(id, 'e1', 'sent', 1));
      await writer.storeMessage(report(id, 'e0', 'queued', 0));
      expect((await reader.message(id))?.events.size).toBe(2);
    }
  });

  it('of a service that reports no time keeps the first receipt time of a report, alone and with others', async () => {
    const came = (eventId: string, status: CanonicalStatus, second: number) =>
      report('timeless', eventId, status, second, { received: second });
    await writer.storeMessage(came('a', 'failed', 5));
    const before = await item('message#timeless');
    await writer.storeMessage(came('a', 'failed', 40));
    expect(await item('message#timeless')).toEqual(before);
    // One of 25 is written without a look at what is stored only where the message is new.
    const others = Array.from({ length: 24 }, (_, index) => came(`late-${index}`, 'sent', 42));
    for (const batch of [[came('b', 'sent', 41)], others]) {
      await writer.storeMessage([came('a', 'failed', 43), ...batch].reduce(mergeMessages));
      const stored = await item('message#timeless');
      for (const name of ['status', 'statusAt', 'listedAt', 'listName', 'report#a'])
        expect(stored?.[name]).toEqual(before?.[name]);
    }
    expect((await reader.message('timeless'))?.events.size).toBe(26);
  });

  it('is read again before a write when an event content was replaced in between', async () => {
    await writer.storeMessage(report('reread', 'a', 'delivered', 3));
    const late = writerInterruptedBy(() => writer.storeMessage(report('reread', 'a', 'read', 3)));
    await late.storeMessage(report('reread', 'b', 'sent', 2));
    const message = await reader.message('reread');
    expect(message && decidingEntry(message).status).toBe('read');
    expect(message?.events.size).toBe(2);
  });

  it('that is full accepts another content of a stored report', async () => {
    const reports = Array.from({ length: 100 }, (_, index) => report('full-3', `e${index}`, 'sent', 1));
    await writer.storeMessage(reports.reduce(mergeMessages));
    expect(await writer.storeMessage(report('full-3', 'e7', 'delivered', 1))).toMatchObject({
      repeated: 1,
      refused: [],
    });
    const message = await reader.message('full-3');
    expect(message?.events.get('e7')?.status).toBe('delivered');
    expect(message?.events.size).toBe(100);
  });

  it.each(['delivered', 'queued'] as const)(
    'does not expire sooner where %s is stored after retention was shortened',
    async (status) => {
      const id = `shortened-${status}`;
      await writer.storeMessage(report(id, 'a', 'sent', 1));
      const before = await item(`message#${id}`);
      const shorter = createHistoryWriter(tables.client, tables.history, { ...settings, retentionDays: 90 });
      await shorter.storeMessage(report(id, 'b', status, 2));
      const after = await item(`message#${id}`);
      expect(after?.reportCount).toEqual({ N: '2' });
      expect(after?.expiresAt).toEqual(before?.expiresAt);
    },
  );

  it('keeps its position among pending messages when its next report arrives', async () => {
    await writer.storeMessage(report('stays', 'a', 'queued', 1));
    const before = await item('message#stays');
    await writer.storeMessage({ ...report('stays', 'b', 'sent', 2), firstSeenAt: at(55) });
    expect(await item('message#stays')).toMatchObject({
      listedAt: { S: at(50) },
      firstSeenAt: before?.firstSeenAt,
    });
    await writer.storeMessage(report('stays', 'c', 'failed', 3));
    expect(await item('message#stays')).toMatchObject({ listedAt: { S: at(3) } });
    await writer.storeMessage(report('stays', 'd', 'delivered', 4));
    expect(await item('message#stays')).not.toHaveProperty('listedAt');
  });
});

describe('a reply', () => {
  it('is one item in the timeline of its sender', async () => {
    const reply = replied('r1', 'e1', 5, { messageId: 'm', to: '+12025550100' });
    await writer.storeReply(reply);
    expect(unmarshall((await item('reply#r1')) ?? {})).toEqual({
      pk: 'reply#r1',
      replyId: 'r1',
      eventId: 'e1',
      from: '+12025550143',
      phone: '+12025550143',
      to: '+12025550100',
      text: 'text e1',
      messageId: 'm',
      occurredAt: at(5),
      receivedAt: at(50),
      firstSeenAt: at(50),
      listName: expect.stringMatching(/^replies#2026-01-15(#[1-3])?$/),
      listedAt: at(5),
      generation: expect.any(String),
      expiresAt: Date.parse(at(50)) / 1000 + 400 * 86_400,
    });
    expect(await reader.reply('r1')).toEqual(reply);
  });

  it('of another source has that source and the ids of its service, as a message has', async () => {
    const reply = replied('backup/r1', 'e1', 5, { messageId: 'backup/m' });
    await writer.storeReply(reply);
    const own = { source: 'backup', messageId: 'm' };
    expect(unmarshall((await item('reply#backup/r1')) ?? {})).toMatchObject({ ...own, replyId: 'r1' });
    expect(await reader.reply('backup/r1')).toEqual(reply);
    await writer.storeMessage(report('backup/m', 'e1', 'sent', 5, { sendId: 'backup/s' }));
    expect(unmarshall((await item('message#backup/m')) ?? {})).toMatchObject({
      ...own,
      sendId: 's',
      sendList: expect.stringMatching(/^backup\/s(#[1-3])?$/),
    });
    expect((await reader.message('backup/m'))?.sendId).toBe('backup/s');
  });

  it('does not expire sooner because of an earlier version, or after retention was shortened', async () => {
    await writer.storeReply(replied('expiry', 'a', 1));
    const before = await item('reply#expiry');
    const shorter = createHistoryWriter(tables.client, tables.history, { ...settings, retentionDays: 90 });
    await writer.storeReply(replied('expiry', 'b', 2, { received: 10 }));
    await shorter.storeReply(replied('expiry', 'c', 3, { received: 51 }));
    const after = await item('reply#expiry');
    expect(Object.keys(after ?? {}).filter((name) => name.startsWith('version#'))).toHaveLength(2);
    expect(after?.expiresAt).toEqual(before?.expiresAt);
  });

  it('gets a new generation when its content is replaced', async () => {
    await writer.storeReply(replied('replaced', 'a', 1, { text: 'hello' }));
    const before = await item('reply#replaced');
    const stop = replied('replaced', 'a', 1, { text: 'stop' });
    expect(await writer.storeReply(stop)).toMatchObject({ stored: 0, repeated: 1, reply: stop });
    const after = await item('reply#replaced');
    expect(after).toMatchObject({ text: { S: 'stop' } });
    expect(after?.generation).not.toEqual(before?.generation);
  });
});

describe('an item whose last write was quiet', () => {
  async function makeQuiet(pk: string): Promise<void> {
    const Item = { ...(await item(pk)), quiet: { BOOL: true } };
    await tables.client.send(new PutItemCommand({ TableName: tables.history, Item }));
  }

  it.each([
    ['decides, without a read before', 'delivered'],
    ['does not decide', 'queued'],
  ] as const)('is no longer quiet after a report that %s', async (_, status) => {
    await writer.storeMessage(report(`quiet-${status}`, 'a', 'sent', 1));
    await makeQuiet(`message#quiet-${status}`);
    await writer.storeMessage(report(`quiet-${status}`, 'b', status, 2));
    const after = await item(`message#quiet-${status}`);
    expect(after).toHaveProperty('report#b');
    expect(after).not.toHaveProperty('quiet');
  });

  it('is no longer quiet after another version of a reply', async () => {
    await writer.storeReply(replied('quiet', 'a', 1));
    await makeQuiet('reply#quiet');
    await writer.storeReply(replied('quiet', 'b', 2));
    expect(await item('reply#quiet')).not.toHaveProperty('quiet');
  });
});

describe('an item that is erased and created again between a read and a write', () => {
  const phone = '+12025550143';

  it('contains nothing of the erased message', async () => {
    await writer.storeMessage(report('erased', 'old', 'delivered', 3, { phone, sendId: 'old-send' }));
    const late = writerInterruptedBy(async () => {
      await erase('message#erased');
      await writer.storeMessage(report('erased', 'new', 'queued', 1));
    });
    await late.storeMessage(report('erased', 'late', 'sent', 2));
    expect(await reader.message('erased')).toEqual(
      [report('erased', 'new', 'queued', 1), report('erased', 'late', 'sent', 2)].reduce(mergeMessages),
    );
    expect(await item('message#erased')).not.toHaveProperty('phone');
  });

  it('contains nothing of the erased reply', async () => {
    await writer.storeReply(replied('erased', 'old', 3));
    const late = writerInterruptedBy(async () => {
      await erase('reply#erased');
      await writer.storeReply(replied('erased', 'new', 1));
    });
    await late.storeReply(replied('erased', 'late', 2));
    expect(await reader.reply('erased')).toEqual(
      mergeReplies(replied('erased', 'new', 1), replied('erased', 'late', 2)),
    );
  });
});
