import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { expect, it } from 'vitest';
import { createSignedFetch } from '../../../client/index.ts';
import { signRequest } from '../../../contract/signature/sign.ts';
import { localClient } from '../../../local/aws-protocol/call.ts';
import { shippedContract } from '../../../tools/support/contracts.ts';
import { localBus } from '../../../tools/support/local-bus.ts';
import type { LocalPipeline } from '../../../tools/support/local-pipeline.ts';
import { smsCommand } from '../../../tools/support/sms-command.ts';
import { until } from '../../../tools/support/until.ts';
import { answered, type Started } from './post-signed.ts';

const pagePath = resolve(import.meta.dirname, '../../../docs/concepts/how-it-works.md');

type Fields = Readonly<Record<string, unknown>>;

/** A request of the service, and when it arrives on the page. */
interface Station {
  readonly id: string;
  readonly content: { readonly type: string; readonly data: Fields };
  readonly receivedAt: string;
}

const [phone, ownNumber] = ['+12025550150', '+12025550100'];
const messageKey = 'message#SM0456';

function station(id: string, type: string, data: Fields, occurredAt: string, receivedAt: string): Station {
  const day = '2026-01-15T';
  const content = { type, data: { ...data, occurred_at: `${day}${occurredAt}Z` } };
  return { id, content, receivedAt: `${day}${receivedAt}Z` };
}
const report = (id: string, status: string, occurredAt: string, receivedAt: string, extra: Fields = {}) => {
  const data = { id: 'SM0456', send_id: 'spring-sale', to: phone, status, ...extra };
  return station(id, 'sms.status', data, occurredAt, receivedAt);
};

const cost = { price: '0.0079', currency: 'USD', segments: 1 };
const sent = report('evt-1', 'sent', '10:00:02.000', '10:00:02.131');
const delivered = report('evt-2', 'delivered', '10:00:06.000', '10:00:06.127', cost);
const repeated: Station = { ...delivered, receivedAt: '2026-01-15T10:00:36.119Z' };
const queued = report('evt-3', 'queued', '10:00:01.000', '10:00:41.124');
const reply = station(
  'evt-4',
  'sms.reply',
  { id: 'SM0987', message_id: 'SM0456', from: phone, to: ownNumber, text: 'STOP' },
  '10:05:00.000',
  '10:05:00.126',
);

/** How long after the receipt an event is stored and published on the page. */
const [storedMs, publishedMs] = [214, 398];
const later = (time: string, milliseconds: number) => new Date(Date.parse(time) + milliseconds).toISOString();
const seconds = (time: string) => Math.floor(Date.parse(time) / 1000);

/** The order of attributes on the page: those of an item have none. */
const attributes = [
  'pk replyId messageId eventId from to phone text sendId state status at final statusAt rank occurredAt receivedAt price currency segments',
  'firstSeenAt changedAt by reportCount report#evt-1 report#evt-2 report#evt-3 sendList listName listedAt statements generation expiresAt',
].flatMap((names) => names.split(' '));

function inOrder(item: Fields): [string, unknown][] {
  expect(attributes).toEqual(expect.arrayContaining(Object.keys(item)));
  return Object.entries(item).sort(([a], [b]) => attributes.indexOf(a) - attributes.indexOf(b));
}

/** Returns an item with the maps in it in the order of the page. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(inOrder(value as Fields).map(([name, field]) => [name, sorted(field)]));
};

const inline = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${inline(field)}`);
  return `{${fields.join(', ')}}`;
};
const lineOf = ([name, value]: readonly [string, unknown]) => `${JSON.stringify(name)}: ${inline(value)}`;
const block = (fields: readonly (readonly [string, unknown])[]) =>
  `{\n${fields.map((field) => `  ${lineOf(field)}`).join(',\n')}\n}`;

/** Shows which attributes a write changed, each before and after it. */
function difference(before: Fields, after: Fields): string {
  const lines = inOrder({ ...before, ...after }).flatMap(([name]) => {
    const [old, value] = [before, after].map((item) =>
      name in item ? lineOf([name, item[name]]) : undefined,
    );
    if (old === value) return [];
    return [...(old === undefined ? [] : [`- ${old}`]), ...(value === undefined ? [] : [`+ ${value}`])];
  });
  return lines.join('\n');
}

/**
 * Plays the story of one message, and returns what the page shows of it, by the names of its blocks. What differs from run to run has the value
 * of the page: the times of this machine, random ids, the signature and the address.
 */
async function playStory(pipeline: LocalPipeline): Promise<ReadonlyMap<string, string>> {
  const { dynamoDb, outputs, port, directory, functionLog } = pipeline;
  const secret = await pipeline.webhookSecret();
  const bus = localBus(port);
  const blocks = new Map<string, string>();
  /** Real times of receipt, and those of the page. */
  const times = new Map<string, string>();

  const onPage = (text: string): string =>
    [...times].reduce((answer, [real, shown]) => {
      const [day, clock] = [real, shown].map((time) => time.slice(0, 19).replace('T', ' '));
      return answer.replaceAll(real, shown).replaceAll(day ?? '', clock ?? '');
    }, text);

  /** The log of a function from now on. */
  function logOf(name: string) {
    const begin = functionLog(name).length;
    return (metricOrCode: string): Promise<Fields> =>
      until(`${name} logs ${metricOrCode}`, () =>
        functionLog(name)
          .slice(begin)
          .split('\n')
          .slice(0, -1)
          .map((line): Fields => JSON.parse(line))
          .find((line) => metricOrCode in line || line.code === metricOrCode),
      );
  }

  const sign = ({ id, content }: Station) => {
    const body = JSON.stringify(content);
    const request = { body: Buffer.from(body), id, now: Date.now(), url: pipeline.webhookUrl };
    return { body, headers: signRequest(shippedContract.webhook.signature, request, secret) };
  };

  const post = (headers: Readonly<Record<string, string>>, body: string) =>
    answered(() =>
      fetch(pipeline.webhookUrl, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      }),
    );

  /** Shows a request as the service writes it. */
  function requestOf(
    { receivedAt }: Station,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): string {
    const lines = {
      host: 'abcdef1234.execute-api.eu-west-1.amazonaws.com',
      'content-type': 'application/json',
      ...headers,
      'webhook-timestamp': String(seconds(receivedAt)),
      'webhook-signature': 'v1,<signature>',
    };
    expect(Object.keys(headers).sort()).toEqual(['webhook-id', 'webhook-signature', 'webhook-timestamp']);
    const shown = Object.entries(lines).map(([name, value]) => `${name}: ${value}`);
    return ['POST /webhooks/sms HTTP/1.1', ...shown, '', body].join('\n');
  }

  async function answerOf(response: Response): Promise<string> {
    const { id, ...rest } = (await response.json()) as Fields;
    const shown = id === undefined ? rest : { id: 'Xr4tKgEvIAMEbqA=', ...rest };
    return `HTTP/1.1 ${response.status} ${response.status === 200 ? 'OK' : 'Unauthorized'}\n\n${inline(shown)}`;
  }

  /** Posts a request, and waits until the worker has handled it. */
  async function deliver(name: string, request: Station): Promise<void> {
    const { headers, body } = sign(request);
    const response = await post(headers, body);
    expect(response.status).toBe(200);
    blocks.set(`${name}-request`, requestOf(request, headers, body));
    blocks.set(`${name}-answer`, await answerOf(response));
    await pipeline.untilQueueIsEmpty(outputs.EventsQueueUrl);
  }

  async function itemOf(pk: string): Promise<Fields> {
    const { Item } = await until(`${pk} is stored`, async () => {
      const answer = await dynamoDb.send(
        new GetItemCommand({
          TableName: outputs.HistoryTableName,
          Key: { pk: { S: pk } },
          ConsistentRead: true,
        }),
      );
      return answer.Item === undefined ? undefined : answer;
    });
    return unmarshall(Item ?? {});
  }

  /** Returns the item with the values of the page. @param receivedAt of the newest event in it, on the page */
  function shownItem(item: Fields, receivedAt: string, generation: string): Fields {
    const real = [...times].find(([, shown]) => shown === receivedAt)?.[0] ?? '';
    const shown = JSON.parse(onPage(JSON.stringify(sorted(item))));
    if ('generation' in shown) shown.generation = generation;
    if ('expiresAt' in shown) shown.expiresAt += seconds(receivedAt) - seconds(real);
    return shown;
  }

  /** Returns the event of a type, as EventBridge delivers it. */
  async function eventOf(detailType: string, isOurs: (detail: Fields) => boolean) {
    return until(`${detailType} is published`, async () =>
      (await bus.published()).find((event) => event['detail-type'] === detailType && isOurs(event.detail)),
    );
  }
  type Published = Awaited<ReturnType<typeof eventOf>>;

  function shownEvent(event: Published, receivedAt: string, id: string): string {
    const { detail, 'detail-type': detailType, source, account, region, resources, version } = event;
    const time = `${later(receivedAt, publishedMs).slice(0, 19)}Z`;
    const envelope = { version, id, 'detail-type': detailType, source, account, time, region, resources };
    return onPage(JSON.stringify({ ...envelope, detail }, null, 2));
  }

  /** Returns a line of the log, with a line break after each field. */
  function shownLog(line: Fields, { content, receivedAt }: Station, milliseconds: number): string {
    const loggedAt = later(receivedAt, milliseconds);
    const lag = Date.parse(loggedAt) - Date.parse(String(content.data.occurred_at));
    const shown = Object.entries(line).map(([name, value]): [string, unknown] => {
      if (name === '_aws') return [name, { ...(value as Fields), Timestamp: Date.parse(loggedAt) }];
      if (name.startsWith('Lag')) return [name, lag];
      if (name === 'timestamp') return [name, loggedAt];
      if (name === 'function_request_id') return [name, '4f3c1d3e-7d64-4dc7-bbe5-9e4d064d67e8'];
      if (name === 'cold_start') return [name, false];
      return [name, value];
    });
    return block(shown);
  }

  async function command(...args: string[]): Promise<string> {
    const { code, out } = await smsCommand(directory, args);
    expect(code).toBe(0);
    const shown = onPage(out).replace(/\d+ d(?: \d+ h)? later/g, '0.1 s later');
    return [`$ sms ${args.join(' ')}`, ...shown.trimEnd().split('\n')]
      .map((line) => line.trimEnd())
      .join('\n');
  }

  const ofMessage = (status: string) => (detail: Fields) =>
    detail.messageId === 'SM0456' && detail.status === status;
  const ofReply = ({ replyId }: Fields) => replyId === 'SM0987';

  // The first report.
  const stored = logOf('worker');
  const published = logOf('publisher');
  await deliver('sent', sent);
  const first = await itemOf(messageKey);
  times.set(String(first.firstSeenAt), sent.receivedAt);
  const shownFirst = shownItem(first, sent.receivedAt, '7b1f0c9e52d4');
  blocks.set('sent-worker-log', shownLog(await stored('EventsStored'), sent, storedMs));
  blocks.set('sent-item', block(Object.entries(shownFirst)));
  blocks.set('sent-publisher-log', shownLog(await published('ReportsSent'), sent, publishedMs));
  const changedToSent = await eventOf('SMS Delivery Status Changed', ofMessage('sent'));
  blocks.set(
    'sent-event',
    shownEvent(changedToSent, sent.receivedAt, '0887b8b7-9baa-4fa7-8f32-262327778ec9'),
  );
  blocks.set('sent-command', await command('message', 'get', 'SM0456'));

  // The report that decides.
  await deliver('delivered', delivered);
  const changedToDelivered = await eventOf('SMS Delivery Status Changed', ofMessage('delivered'));
  times.set(String(changedToDelivered.detail.receivedAt), delivered.receivedAt);
  const second = await itemOf(messageKey);
  const shownSecond = shownItem(second, delivered.receivedAt, 'c49e07d1a3b6');
  blocks.set('delivered-change', difference(shownFirst, shownSecond));
  blocks.set(
    'delivered-event',
    shownEvent(changedToDelivered, delivered.receivedAt, 'fa928338-c677-4cdb-9777-121ff6f1fc3a'),
  );

  // The same request again.
  const recognised = logOf('worker');
  await deliver('repeated', repeated);
  blocks.set('repeated-worker-log', shownLog(await recognised('EventsRepeated'), repeated, storedMs));
  expect(await itemOf(messageKey)).toEqual(second);

  // A report that is overtaken.
  await deliver('queued', queued);
  const third = await itemOf(messageKey);
  times.set((third['report#evt-3'] as { receivedAt: string }).receivedAt, queued.receivedAt);
  const shownThird = shownItem(third, queued.receivedAt, '12f8b5a07e9d');
  blocks.set('queued-change', difference(shownSecond, shownThird));

  // The person replies. Commands show the time of receipt to the second, and those of the first report and of the reply must differ.
  const firstSecond = seconds(String(first.firstSeenAt));
  await until('the second of the first receipt has ended', () => Date.now() / 1000 > firstSecond + 1);
  await deliver('reply', reply);
  const replyReceived = await eventOf('SMS Reply Received', ofReply);
  times.set(String(replyReceived.detail.receivedAt), reply.receivedAt);
  const replyItem = shownItem(await itemOf('reply#SM0987'), reply.receivedAt, '90d2c4e86b1f');
  blocks.set('reply-item', block(Object.entries(replyItem)));
  const register = shownItem(await itemOf(`optout#${phone}`), reply.receivedAt, '');
  blocks.set('reply-register', block(Object.entries(register)));
  blocks.set(
    'reply-event',
    shownEvent(replyReceived, reply.receivedAt, 'af4b21ff-36d3-49ce-99f9-b636381569e5'),
  );
  const optOut = await eventOf('SMS Opt-Out', ofReply);
  blocks.set('reply-opt-out', shownEvent(optOut, reply.receivedAt, '76a6e4cb-6202-440e-8292-8e805ca7c469'));

  // What readers see.
  blocks.set('message-command', await command('message', 'get', 'SM0456'));
  const { QueryUrl = '' } = outputs;
  const { region, credentials } = localClient(QueryUrl);
  const query = createSignedFetch({ region, credentials });
  const answer = await query(`${QueryUrl}/messages/SM0456`);
  expect(answer.status).toBe(200);
  blocks.set('message-query', onPage(JSON.stringify(await answer.json(), null, 2)));
  blocks.set('number-command', await command('number', 'show', phone));

  // A request that the service did not sign.
  const rejected = logOf('ingest');
  const { headers } = sign(queued);
  const forged = await post(headers, sign(sent).body);
  blocks.set('forged-answer', await answerOf(forged));
  blocks.set('forged-log', shownLog(await rejected('INGEST-01'), queued, storedMs));

  const ours = (await bus.published()).filter(
    ({ detail }) => detail.messageId === 'SM0456' || detail.replyId === 'SM0987',
  );
  expect([
    ...new Set(ours.map(({ 'detail-type': type, detail }) => `${type} ${detail.status ?? ''}`)),
  ]).toEqual([
    'SMS Delivery Status Changed sent',
    'SMS Delivery Status Changed delivered',
    'SMS Reply Received ',
    'SMS Opt-Out ',
  ]);
  return blocks;
}

/** A block of the page that the run fills: its name is in the comment above its fence. */
const runBlock = /(^<!-- run: ([\w-]+) -->\n\n```\w+\n)([\s\S]*?)(^```$)/gm;

export function storyIsARun(pipeline: Started<LocalPipeline>): void {
  it('shows the requests, items, events and log lines of a run', async () => {
    const blocks = await playStory(pipeline());
    const page = readFileSync(pagePath, 'utf8');
    const shown = page.replace(
      runBlock,
      (_, before: string, name: string, _text: string, after: string) =>
        `${before}${blocks.get(name) ?? `The run has no block ${name}.`}\n${after}`,
    );
    expect([...page.matchAll(runBlock)].length).toBeGreaterThan(15);
    // `vitest -u` writes the blocks of this run into the page.
    await expect(shown).toMatchFileSnapshot(pagePath);
  });
}
