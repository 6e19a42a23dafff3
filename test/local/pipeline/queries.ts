import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type AttributeValue, ScanCommand } from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import { beforeAll, describe, expect, it } from 'vitest';
import { allCsv, createClient } from '../../../client/index.ts';
import type {
  MessageView,
  OptOutView,
  PageView,
  QuarantinedView,
  QuarantineEntryView,
  ReplyView,
  TimelineEntryView,
} from '../../../functions/query/api/views/views.ts';
import { localClient } from '../../../local/aws-protocol/call.ts';
import type { LocalPipeline } from '../../../tools/support/local-pipeline.ts';
import { smsCommand } from '../../../tools/support/sms-command.ts';
import { deliverSigned, type Started } from './post-signed.ts';
import { eventBody, phoneOf, type Reported, reportedEvents } from './queried-events.ts';
import { isFailure, isPending, modelOf } from './queried-model.ts';

const events = reportedEvents(1500);
const model = modelOf(events);
const requests = requestsOf(events);
const range = ['--since', '2026-01-01T00:00:00Z', '--until', '2026-01-10T00:00:00Z'];
const phones = new Set(events.map((event) => (event.kind === 'reply' ? event.from : event.phone)));
const isOurs = ({ messageId }: { readonly messageId: string }) => messageId.startsWith('queried-');

/** Requests of five events each, every third of them twice. */
function requestsOf(reported: readonly Reported[]) {
  const requests = Array.from({ length: Math.ceil(reported.length / 5) }, (_, number) => ({
    id: `queried-evt-${number}`,
    events: reported.slice(number * 5, number * 5 + 5),
  }));
  return [...requests, ...requests.filter((_, number) => number % 3 === 0)];
}

const factsOf = ({ messageId, status, phone, sendId, events: reports }: MessageView) => ({
  messageId,
  status,
  phone,
  sendId,
  words: reports.map((report) => report.status).sort(),
});
const expected = (messages: typeof model.messages) =>
  messages.map(({ messageId, status, phone, sendId, words }) => ({
    messageId,
    status,
    phone,
    sendId,
    words,
  }));
const byId = (a: { readonly messageId: string }, b: { readonly messageId: string }) =>
  a.messageId < b.messageId ? -1 : 1;
const isDescending = (times: readonly string[]) =>
  times.every((time, index) => time <= (times[index - 1] ?? time));

export function queriesAnswer(pipeline: Started<LocalPipeline>): void {
  let postedSince: string;

  beforeAll(async () => {
    await pipeline().untilQueueIsEmpty(pipeline().outputs.EventsQueueUrl);
    postedSince = new Date().toISOString();
    await pMap(requests, ({ id, events: own }) => deliverSigned(pipeline(), own.map(eventBody), id), {
      concurrency: 8,
    });
    await pipeline().untilQueueIsEmpty(pipeline().outputs.EventsQueueUrl);
  });

  const sms = (...args: string[]) => smsCommand(pipeline().directory, args);

  async function json<T>(...args: string[]): Promise<T> {
    const { code, out, err } = await sms(...args, '--json');
    expect([code, err]).toEqual([0, '']);
    return JSON.parse(out);
  }

  /** All entries of a list, by pages of seven. */
  async function pages<T>(...args: string[]): Promise<T[]> {
    const entries: T[] = [];
    let cursor: string | null = null;
    do {
      const more: string[] = cursor === null ? [] : ['--cursor', cursor];
      const page: PageView<T> = await json(...args, '--limit', '7', ...more);
      expect(page.entries.length).toBeLessThanOrEqual(7);
      entries.push(...page.entries);
      cursor = page.next;
    } while (cursor !== null);
    return entries;
  }

  describe('after 1,500 events, on the command line, by pages of seven,', () => {
    it('A1: a message has the state that follows from its reports', async () => {
      const asked = model.messages.filter((_, number) => number % 20 === 0);
      for (const message of asked)
        expect(factsOf(await json<MessageView>('message', 'get', message.messageId))).toEqual(
          expected([message])[0],
        );
    });

    it('A2: the timeline of a number holds its messages and replies', async () => {
      for (const phone of [phoneOf(0), phoneOf(17)]) {
        const entries = await pages<TimelineEntryView>('number', 'show', phone);
        const ids = entries.map((entry) =>
          entry.kind === 'reply' ? `reply ${entry.replyId}` : `message ${entry.messageId}`,
        );
        const wanted = [
          ...model.messages
            .filter((message) => message.phone === phone)
            .map(({ messageId }) => `message ${messageId}`),
          ...model.replies.filter(({ from }) => from === phone).map(({ replyId }) => `reply ${replyId}`),
        ];
        expect([...ids].sort()).toEqual(wanted.sort());
        const times = entries.map((entry) => (entry.kind === 'reply' ? entry.receivedAt : entry.firstSeenAt));
        expect(isDescending(times)).toBe(true);
      }
    });

    it('A3: the failed messages are listed by the time they failed, and by status', async () => {
      const failures = model.messages.filter(isFailure);
      const entries = await pages<MessageView>('message', 'list', '--state', 'failed', ...range);
      expect(entries.map(factsOf).sort(byId)).toEqual(expected(failures).sort(byId));
      expect(isDescending(entries.map(({ statusAt }) => statusAt))).toBe(true);

      const day = ['--since', '2026-01-06T00:00:00Z', '--until', '2026-01-07T00:00:00Z'];
      const some = await pages<MessageView>(
        'message',
        'list',
        '--state',
        'failed',
        ...day,
        '--status',
        'rejected,expired',
      );
      const wanted = failures.filter(
        ({ status, statusAt }) =>
          statusAt.startsWith('2026-01-06') && ['rejected', 'expired'].includes(status),
      );
      expect(wanted.length).toBeGreaterThan(10);
      expect(some.map(factsOf).sort(byId)).toEqual(expected(wanted).sort(byId));
    });

    it('A4: the messages that are still open', async () => {
      const entries = (await pages<MessageView>('message', 'list', '--state', 'pending')).filter(isOurs);
      expect(entries.map(factsOf).sort(byId)).toEqual(expected(model.messages.filter(isPending)).sort(byId));
      expect(isDescending(entries.map(({ firstSeenAt }) => firstSeenAt))).toBe(true);
      const older = await pages<MessageView>('message', 'list', '--state', 'pending', '--until', postedSince);
      expect(older.filter(isOurs)).toEqual([]);
    });

    it('A5: the messages of a send', async () => {
      const entries = await pages<MessageView>('send', 'show', 'queried-send-1');
      const wanted = model.messages.filter(({ sendId }) => sendId === 'queried-send-1');
      expect(wanted.length).toBeGreaterThan(100);
      expect(entries.map(factsOf).sort(byId)).toEqual(expected(wanted).sort(byId));
    });

    it('A6: replies, by the time they were sent', async () => {
      const entries = await pages<ReplyView>('reply', 'list', ...range);
      const facts = entries.map(({ replyId, from, text, occurredAt }) => ({
        kind: 'reply',
        replyId,
        from,
        text,
        occurredAt,
      }));
      const sorted = (replies: readonly { readonly replyId: string }[]) =>
        [...replies].sort((a, b) => (a.replyId < b.replyId ? -1 : 1));
      expect(sorted(facts)).toEqual(sorted(model.replies));
      expect(isDescending(facts.map(({ occurredAt }) => occurredAt))).toBe(true);
    });

    it('A7: the numbers that opted out', async () => {
      const entries = (await pages<OptOutView>('opt-out', 'list')).filter(({ phone }) => phones.has(phone));
      const found = new Map(entries.map(({ phone, replyId }) => [phone, replyId]));
      expect(model.optedOut.size).toBeGreaterThan(5);
      expect(found).toEqual(new Map([...model.optedOut].map(([phone, { replyId }]) => [phone, replyId])));
    });

    it('A8: unreadable events are in quarantine', async () => {
      const entries = await pages<QuarantinedView>('quarantine', 'list', '--since', postedSince);
      // An event that arrives twice is kept twice, because its identity is unknown.
      const nonsense = requests
        .flatMap((request) => request.events)
        .filter(({ kind }) => kind === 'nonsense');
      expect(nonsense.length).toBeGreaterThan(model.nonsense);
      expect(entries).toHaveLength(nonsense.length);
      expect(new Set(entries.map(({ reason }) => reason))).toEqual(new Set(['bad-time']));
      const { raw } = await json<QuarantineEntryView>('quarantine', 'show', entries[0]?.id ?? '');
      expect(JSON.parse(raw).data.occurred_at).toBe('never');
    });
  });

  describe('over HTTP', () => {
    const client = () => {
      const { QueryUrl = '' } = pipeline().outputs;
      const { region, credentials } = localClient(QueryUrl);
      return createClient({ baseUrl: QueryUrl, region, credentials });
    };

    it('the query API returns a list as the command line does', async () => {
      const page = await client().listMessages({
        state: 'failed',
        since: '2026-01-01T00:00:00Z',
        until: '2026-01-10T00:00:00Z',
        limit: 50,
      });
      const { entries } = await json<PageView<MessageView>>('message', 'list', ...range, '--limit', '50');
      expect(page.entries).toEqual(entries);
      expect(entries).toHaveLength(50);
    });

    it('the query API returns the failures of a send as the CSV of the command line', async () => {
      const status = ['rejected', 'expired', 'undelivered', 'failed'] as const;
      const query = { sendId: 'queried-send-1', status: [...status], limit: 3 };
      const parts: string[] = [];
      for await (const rows of allCsv((page) => client().listSendCsv({ ...query, ...page })))
        parts.push(rows);
      const { out } = await sms(
        ...['send', 'show', 'queried-send-1', '--status', status.join(), '--all', '--csv'],
      );
      expect(parts.length).toBeGreaterThan(2);
      expect(parts.join('')).toBe(out);
    });

    it('the query API rejects an unsigned request', async () => {
      const answer = await fetch(`${pipeline().outputs.QueryUrl}/messages/queried-1`);
      expect([answer.status, await answer.json()]).toEqual([403, { message: 'Forbidden' }]);
    });
  });

  describe('an erased number', () => {
    const phone = phoneOf(17);
    const digits = phone.slice(1);

    it('is stored nowhere', async () => {
      const { HistoryTableName, QuarantineTableName, WebhookStateTableName } = pipeline().outputs;
      const tables = [HistoryTableName, QuarantineTableName];
      const before = await everything(tables);
      expect(before.filter((item) => item.includes(digits)).length).toBeGreaterThan(20);

      const dryRun = await sms('person', 'erase', phone, '--dry-run');
      expect(dryRun.code).toBe(0);
      expect(await everything(tables)).toEqual(before);

      const { code, err } = await sms('person', 'erase', phone, '--confirm');
      expect(code).toBe(0);
      expect(err).toMatch(/^Receipt [\w-]+: /);
      const everywhere = await everything([...tables, WebhookStateTableName]);
      expect(everywhere.filter((item) => item.includes(digits))).toEqual([]);
      expect((await json<PageView<unknown>>('number', 'show', phone)).entries).toEqual([]);
    });

    it('is in no log and no other file of the run', () => {
      const files = globSync('**/*', { cwd: pipeline().directory })
        .map((name) => join(pipeline().directory, name))
        .filter((name) => statSync(name).isFile());
      expect(files.some((name) => name.includes('logs'))).toBe(true);
      const telling = files.filter((name) => readFileSync(name).includes(digits));
      expect(telling).toEqual([]);
      expect(pipeline().printed()).not.toContain(digits);
    });

    /** Every item of the tables and every entry of their indexes, as text. */
    async function everything(tables: readonly (string | undefined)[]): Promise<string[]> {
      const found: string[] = [];
      for (const [TableName, IndexName] of tables.flatMap((table) => [
        [table],
        ...(table === pipeline().outputs.HistoryTableName
          ? ['byNumber', 'bySend', 'byList'].map((index) => [table, index])
          : []),
      ])) {
        let from: Record<string, AttributeValue> | undefined;
        do {
          const { Items = [], LastEvaluatedKey } = await pipeline().dynamoDb.send(
            new ScanCommand({
              TableName,
              ...(IndexName === undefined ? {} : { IndexName }),
              ...(from === undefined ? {} : { ExclusiveStartKey: from }),
            }),
          );
          found.push(...Items.map((item) => JSON.stringify(item)));
          from = LastEvaluatedKey;
        } while (from !== undefined);
      }
      return found.sort();
    }
  });
}
