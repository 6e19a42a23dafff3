import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, it } from 'vitest';
import { identityHash } from '../../../contract/events/body.ts';
import {
  createHistoryReader,
  type HistoryReader,
} from '../../../functions/history/lists/history-list-store.ts';
import { shippedContract } from '../../../tools/support/contracts.ts';
import { until } from '../../../tools/support/until.ts';
import { answered, type Started } from './post-signed.ts';

const occurredAt = '2026-01-15T12:00:05.000Z';
const status = (id: string, word = 'delivered', extra: object = {}) =>
  JSON.stringify({
    type: 'sms.status',
    data: { id, to: '+12025550143', status: word, occurred_at: occurredAt, ...extra },
  });

export function webhookAccepts(pipeline: Started): void {
  let history: HistoryReader;
  let secret: string;

  beforeAll(async () => {
    const { dynamoDb, outputs, webhookSecret } = pipeline();
    history = createHistoryReader(dynamoDb, outputs.HistoryTableName ?? '');
    secret = await webhookSecret();
  });

  /** Signs with the reference library of the standard, not with our own code. */
  function signed(body: string, id: string, at = new Date()): Record<string, string> {
    return {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    };
  }

  const post = (body: string, headers: Record<string, string>) =>
    answered(() => fetch(pipeline().webhookUrl, { method: 'POST', headers, body }));
  const stored = (id: string) => until(`message ${id} is in history`, () => history.message(id));

  /** Waits for what the quarantine has of an acknowledged request. */
  async function quarantinedOf(answer: Response) {
    const { id } = (await answer.json()) as { id: string };
    return until('the request is in quarantine', async () => {
      const { Items = [] } = await pipeline().dynamoDb.send(
        new ScanCommand({ TableName: pipeline().outputs.QuarantineTableName }),
      );
      return Items.find(({ requestId }) => requestId?.S === id);
    });
  }

  describe('a signed event', () => {
    it('is stored in history once', async () => {
      const body = status('m-1');
      const headers = signed(body, 'evt-1');
      const answer = await post(body, headers);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ id: expect.any(String) });
      const first = await stored('m-1');
      expect(first).toMatchObject({ messageId: 'm-1', phone: '+12025550143' });
      expect([...first.events.keys()]).toEqual(['evt-1']);

      expect((await post(body, headers)).status).toBe(200);
      const later = status('m-2');
      await post(later, signed(later, 'evt-2'));
      await stored('m-2');
      await pipeline().untilQueueIsEmpty(pipeline().outputs.EventsQueueUrl);
      expect(await history.message('m-1')).toEqual(first);
    });

    /** One of 16 signatures ends with "A=" already. */
    const withAnotherEnd = (signature = '') =>
      signature.replace(/.=$/, (end) => (end === 'A=' ? 'E=' : 'A='));

    it('is rejected and stores nothing when one byte of it is altered', async () => {
      const body = status('m-forged');
      const headers = signed(body, 'evt-f');
      for (const [changedBody, changedHeaders] of [
        [body.replace('delivered', 'Delivered'), headers],
        [body, { ...headers, 'webhook-id': 'evt-g' }],
        [body, { ...headers, 'webhook-signature': withAnotherEnd(headers['webhook-signature']) }],
      ] as const)
        expect((await post(changedBody, changedHeaders)).status).toBe(401);
      expect(await history.message('m-forged')).toBeUndefined();
    });

    it('is stored when it is a reply of 100 KB with characters that SQS rejects', async () => {
      const text = `\u0000\uffff\u0001${'é'.repeat(51_200)}`;
      const body = JSON.stringify({
        type: 'sms.reply',
        data: { id: 'r-1', from: '+12025550143', text, occurred_at: occurredAt },
      });
      expect((await post(body, signed(body, 'evt-r'))).status).toBe(200);
      expect((await until('the reply is in history', () => history.reply('r-1'))).current.text).toBe(text);
    });

    it('is stored when another of the 100 events in its request is invalid', async () => {
      const events = Array.from({ length: 100 }, (_, index) =>
        JSON.parse(status(`bulk-${index}`, 'sent', index === 50 ? { occurred_at: 'never' } : {})),
      );
      const body = JSON.stringify(events);
      const answer = await post(body, signed(body, 'evt-bulk'));
      expect(answer.status).toBe(200);
      const bad = await quarantinedOf(answer);
      expect(bad).toMatchObject({
        reason: { S: 'bad-time' },
        index: { N: '50' },
        field: { S: 'occurredAt' },
      });
      expect(bad.identity).toEqual({ S: identityHash(shippedContract) });
      expect(JSON.parse(bad.body?.S ?? '').data.id).toBe('bulk-50');
      await until('its neighbours are in history', () => history.message('bulk-99'));
      expect(await history.message('bulk-50')).toBeUndefined();
      expect((await history.message('bulk-51'))?.events.has('evt-bulk:51')).toBe(true);
    });
  });

  describe('a body that is not an event', () => {
    it.each([
      ['10,000 nested arrays', `${'['.repeat(10_000)}${']'.repeat(10_000)}`, 'too-deep'],
      ['nothing', '', 'empty-body'],
      ['an event without an id', '{"type":"sms.status","data":{"status":"sent"}}', 'missing-field'],
    ])('is acknowledged and kept in quarantine: %s', async (name, body, reason) => {
      const answer = await post(body, signed(body, `evt-${name.replaceAll(/\W/g, '')}`));
      expect(answer.status).toBe(200);
      const entry = await quarantinedOf(answer);
      expect(entry.reason?.S).toBe(reason);
      expect(entry.body?.S).toBe(body);
    });
  });

  it('a request of another path or method is rejected', async () => {
    expect((await fetch(pipeline().webhookUrl)).status).toBe(405);
    expect((await fetch(`${pipeline().webhookUrl}/x`, { method: 'POST', body: '{}' })).status).toBe(404);
  });
}
