import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, it } from 'vitest';
import { identityHash } from '../../../contract/events/body.ts';
import {
  createHistoryReader,
  type HistoryReader,
} from '../../../functions/history/lists/history-list-store.ts';
import { encodeEnvelope } from '../../../functions/receive/envelope.ts';
import { quarantineId } from '../../../functions/receive/quarantine/quarantine.ts';
import { createQuarantine, type Quarantine } from '../../../functions/receive/quarantine/quarantine-store.ts';
import { shippedContract } from '../../../tools/support/contracts.ts';
import { smsCommand } from '../../../tools/support/sms-command.ts';
import { until } from '../../../tools/support/until.ts';
import type { Started } from './post-signed.ts';

export function operatorsRepair(pipeline: Started): void {
  let history: HistoryReader;
  let quarantine: Quarantine;

  beforeAll(() => {
    const { dynamoDb, outputs } = pipeline();
    history = createHistoryReader(dynamoDb, outputs.HistoryTableName ?? '');
    const table = outputs.QuarantineTableName ?? '';
    const settings = { retentionDays: 90, listShards: Number(outputs.ListShards) };
    quarantine = createQuarantine(dynamoDb, table, settings, identityHash(shippedContract));
  });

  const sms = (...args: string[]) => smsCommand(pipeline().directory, args);
  const json = async (...args: string[]) => {
    const { code, out, err } = await sms(...args, '--json');
    expect([code, err]).toEqual([0, '']);
    return JSON.parse(out);
  };
  const put = (queueUrl: string | undefined, body: string) =>
    pipeline().sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: body }));
  const status = (id: string, occurredAt = '2026-01-15T12:00:05.000Z') =>
    JSON.stringify({
      type: 'sms.status',
      data: { id, to: '+12025550143', status: 'delivered', occurred_at: occurredAt },
    });
  const stored = (id: string) => until(`message ${id} is in history`, () => history.message(id));

  describe('dead letters', () => {
    it('are shown in their queue, redriven to their source queue, and stored', async () => {
      const { DeadLetterQueueUrl } = pipeline().outputs;
      const { waiting: before } = await pipeline().queueDepth(DeadLetterQueueUrl);
      const body = Buffer.from(status('m-dead'));
      const receivedAt = '2026-01-15T12:00:06.000Z';
      await put(
        DeadLetterQueueUrl,
        encodeEnvelope({ requestId: 'req', receivedAt, signedId: 'evt-d', body }),
      );

      const waiting = async () => {
        const { entries } = await json('dead-letter', 'list');
        return entries.find(({ name }: { name: string }) => name === 'DeadLetterQueueUrl');
      };
      expect(await waiting()).toMatchObject({ source: 'EventsQueueUrl', waiting: before + 1 });
      expect((await sms('dead-letter', 'show')).out).toContain('request req: sms.status m-dead');
      expect(await json('dead-letter', 'redrive', 'DeadLetterQueueUrl', '--dry-run')).toMatchObject({
        wouldMove: before + 1,
      });
      expect(await waiting()).toMatchObject({ waiting: before + 1 });
      expect(await history.message('m-dead')).toBeUndefined();

      expect((await sms('dead-letter', 'redrive', 'DeadLetterQueueUrl')).out).toMatch(
        /^Moved \d+ messages? from DeadLetterQueueUrl to EventsQueueUrl\.\n$/,
      );
      const message = await stored('m-dead');
      expect([...message.events.keys()]).toEqual(['evt-d']);
      expect(await waiting()).toMatchObject({ waiting: 0 });
    });

    it('of the publisher remain, because they have no source queue', async () => {
      const { PublisherFailuresQueueUrl } = pipeline().outputs;
      const { waiting: before } = await pipeline().queueDepth(PublisherFailuresQueueUrl);
      const failure = {
        kind: 'event-refused',
        detailType: 'SMS Reply Received',
        eventId: 'e'.repeat(32),
        error: 'TooLarge',
      };
      await put(PublisherFailuresQueueUrl, JSON.stringify(failure));
      expect((await sms('dead-letter', 'show', 'Publisher')).out).toContain('refused event (TooLarge)');
      const { code, err } = await sms('dead-letter', 'redrive', 'Publisher');
      expect(code).toBe(1);
      expect(err).toContain('do what the automations would have done');
      expect((await pipeline().queueDepth(PublisherFailuresQueueUrl)).waiting).toBe(before + 1);
    });
  });

  describe('quarantine replay', () => {
    /** Long enough ago for every secret of that time to be known by now. */
    const received = new Date(Date.now() - 10 * 60_000);
    const receivedAt = received.toISOString();
    const end = new Date(received.getTime() + 1).toISOString();
    const range = ['--since', receivedAt, '--until', end];
    const entry = (requestId: string, raw: string, index?: number) => ({
      requestId,
      receivedAt,
      raw: Buffer.from(raw),
      signedId: `evt-${requestId}`,
      ...(index === undefined ? {} : { index }),
    });
    const inQuarantine = async () => {
      const { entries } = await json('quarantine', 'list', '--all', ...range);
      return entries.map(({ id }: { id: string }) => id).sort();
    };
    const idOf = (requestId: string, index?: number) =>
      quarantineId({ receivedAt, requestId, ...(index === undefined ? {} : { index }) });

    it('stores each entry that the contract now reads once under its id, and verifies unverified entries', async () => {
      const secret = await pipeline().webhookSecret();
      const signed = (body: string, id: string, key: string) => ({
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(received.getTime() / 1000)),
        'webhook-signature': new Webhook(key).sign(id, received, body),
      });
      const url = pipeline().webhookUrl;
      const late = status('m-late-secret');
      const forged = status('m-forged');
      const forger = `whsec_${Buffer.from('another sender').toString('base64')}`;
      await quarantine.keep({ ...entry('one', status('m-one'), 3), reason: 'bad-time' });
      await quarantine.keep({ ...entry('whole', `[${status('m-a')},${status('m-b')}]`), reason: 'not-json' });
      await quarantine.keep({ ...entry('still', status('m-still', 'never'), 0), reason: 'bad-time' });
      for (const [name, body, key] of [
        ['late', late, secret],
        ['forged', forged, forger],
      ] as const)
        await quarantine.keep({
          requestId: name,
          receivedAt,
          raw: Buffer.from(body),
          url,
          headers: signed(body, `evt-${name}`, key),
          reason: 'signature-mismatch',
        });
      const before = await inQuarantine();

      const { reasons } = await json('quarantine', 'replay', ...range, '--dry-run');
      expect(reasons).toMatchObject([
        { reason: 'bad-time', outcomes: { sent: 1, unreadable: 1 } },
        { reason: 'not-json', outcomes: { sent: 1 } },
        { reason: 'signature-mismatch', outcomes: { sent: 0, notRequested: 2 } },
      ]);
      expect(await inQuarantine()).toEqual(before);
      expect(await history.message('m-one')).toBeUndefined();

      expect((await json('quarantine', 'replay', ...range)).reasons).toEqual(reasons);
      expect(
        (await json('quarantine', 'replay', ...range, '--reason', 'signature-mismatch')).reasons,
      ).toMatchObject([{ outcomes: { sent: 2, notRequested: 0 } }]);
      expect([...(await stored('m-one')).events.keys()]).toEqual(['evt-one:3']);
      expect([...(await stored('m-a')).events.keys()]).toEqual(['evt-whole:0']);
      expect([...(await stored('m-b')).events.keys()]).toEqual(['evt-whole:1']);
      expect([...(await stored('m-late-secret')).events.keys()]).toEqual(['evt-late']);
      await pipeline().untilQueueIsEmpty(pipeline().outputs.EventsQueueUrl);
      expect(await inQuarantine()).toEqual([idOf('forged~body'), idOf('still', 0)].sort());
      expect(await history.message('m-forged')).toBeUndefined();

      // As after a crash between the queue's confirmation and the removal.
      const first = await history.message('m-one');
      await quarantine.keep({ ...entry('one', status('m-one'), 3), reason: 'bad-time' });
      await json('quarantine', 'replay', '--id', idOf('one', 3));
      await pipeline().untilQueueIsEmpty(pipeline().outputs.EventsQueueUrl);
      expect(await history.message('m-one')).toEqual(first);
    });
  });
}
