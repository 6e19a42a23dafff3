import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { identityHash } from '../../../../contract/events/body.ts';
import { signRequest } from '../../../../contract/signature/sign.ts';
import { createCounterReads } from '../../../../functions/insights/counters/counter-read-store.ts';
import { figuresOf } from '../../../../functions/insights/counters/figures.ts';
import { addTallies } from '../../../../functions/insights/counters/tally.ts';
import { encodeEnvelope } from '../../../../functions/receive/envelope.ts';
import { createQuarantine } from '../../../../functions/receive/quarantine/quarantine-store.ts';
import { shippedContract, shippedContractJson } from '../../../../tools/support/contracts.ts';
import type { RunningPipeline } from '../../../../tools/support/local-pipeline.ts';
import { until } from '../../../../tools/support/until.ts';
import { deliverSigned } from '../post-signed.ts';
import { realTime } from './normalise.ts';

/** Makes what a page needs. @param folder of the page's command lines */
export type Seed = (pipeline: RunningPipeline, folder: string) => Promise<void>;

interface Report {
  readonly id: string;
  readonly to: string;
  readonly status: string;
  readonly send_id?: string;
  readonly error_code?: string;
  readonly error_message?: string;
}

/** A report or reply as the service writes it. @param time that the transcripts show */
function event(time: string, data: Report | { readonly from: string; readonly [name: string]: string }) {
  return {
    type: 'status' in data ? 'sms.status' : 'sms.reply',
    data: { ...data, occurred_at: realTime(time) },
  };
}

/** The queue message of a request that was received a second after its event. */
function envelope(requestId: string, time: string, content: unknown): string {
  return encodeEnvelope({
    requestId,
    receivedAt: new Date(Date.parse(realTime(time)) + 1000).toISOString(),
    signedId: `evt-${requestId}`,
    body: Buffer.from(JSON.stringify(content)),
  });
}

const history: readonly [time: string, data: Parameters<typeof event>[1]][] = [
  ['2026-01-15T09:00:00.000Z', { id: 'msg-0001', to: '+12025550143', status: 'sent', send_id: 'send-0001' }],
  [
    '2026-01-15T09:00:05.000Z',
    { id: 'msg-0001', to: '+12025550143', status: 'delivered', send_id: 'send-0001' },
  ],
  [
    '2026-01-15T09:00:07.000Z',
    {
      id: 'msg-0002',
      to: '+12025550144',
      status: 'undelivered',
      send_id: 'send-0001',
      error_code: '30003',
      error_message: 'handset unreachable',
    },
  ],
  [
    '2026-01-14T16:00:00.000Z',
    { id: 'msg-0003', to: '+12025550145', status: 'rejected', send_id: 'send-0001' },
  ],
  ['2026-01-13T10:00:00.000Z', { id: 'msg-0004', to: '+12025550144', status: 'sent' }],
  [
    '2026-01-15T08:00:00.000Z',
    { id: 'msg-1', to: '+12025550143', status: 'delivered', send_id: 'spring-sale' },
  ],
  ['2026-01-15T08:00:01.000Z', { id: 'msg-2', to: '+12025550144', status: 'failed', send_id: 'spring-sale' }],
  ['2026-01-15T08:30:00.000Z', { id: '-id-with-a-hyphen', to: '+12025550143', status: 'read' }],
  [
    '2026-01-15T10:00:00.000Z',
    {
      id: 'reply-0001',
      message_id: 'msg-0001',
      from: '+12025550143',
      to: '+12025550100',
      text: 'Yes, please',
    },
  ],
  ['2026-01-15T11:00:00.000Z', { id: 'reply-0002', from: '+12025550145', to: '+12025550100', text: 'STOP' }],
];

/** Messages, replies and an opt-out of three numbers. */
export const seedHistory: Seed = async ({ sqs, outputs }) => {
  for (const [index, [time, data]] of history.entries())
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: outputs.EventsQueueUrl,
        MessageBody: envelope(`history-${index}`, time, event(time, data)),
      }),
    );
};

/** What the service knows and no webhook reported: a message that the history lacks, and one that it has in another state. */
export const seedKnown: Seed = async ({ port }) => {
  const call = async (method: string, path: string, body: unknown) => {
    const url = `http://127.0.0.1:${port + 1}/sandbox/${path}`;
    const response = await fetch(url, { method, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
  };
  const known = [
    ['msg-0001', 'delivered', '2026-01-14T09:00:05.000Z'],
    ['msg-0004', 'delivered', '2026-01-14T10:00:05.000Z'],
    ['msg-0009', 'undelivered', '2026-01-14T11:00:05.000Z'],
  ].map(([messageId, status, time = '']) => ({
    kind: 'sms.status',
    fields: { messageId, status, sendId: 'send-0001', occurredAt: realTime(time) },
  }));
  await call('PUT', 'faults', { dropEvents: 1 });
  await call('POST', 'events', known);
  await call('PUT', 'faults', {});
};

/** Waits until insights have counted the messages and replies of {@link seedHistory}, which they do some seconds late. */
export const untilCounted: Seed = async ({ dynamoDb, outputs }) => {
  const counters = createCounterReads(dynamoDb, outputs.InsightsTableName ?? '', Date.now);
  const ids = new Set(history.map(([, { id }]) => id));
  const day = (time: string) => realTime(time).slice(0, 10);
  await until('the history is counted', async () => {
    const days = await counters.days(day('2026-01-13'), day('2026-01-16'));
    const { messages, replies } = figuresOf(addTallies(days.map(({ tally }) => tally)));
    return messages + replies >= ids.size;
  });
};

/** A report, and the request of a forwarded event, which both wait in dead-letter queues. */
export const seedDeadLetters: Seed = async ({ sqs, outputs }) => {
  const time = '2026-01-15T11:50:00.000Z';
  const put = (QueueUrl: string | undefined, MessageBody: string) =>
    sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
  const report = event(time, { id: 'msg-0005', to: '+12025550144', status: 'delivered' });
  await put(outputs.DeadLetterQueueUrl, envelope('dead-0001', time, report));
};

/** Entries of quarantine: one that no contract reads, one that the contract reads by now, one without the right signature. */
export const seedQuarantine: Seed = async (pipeline) => {
  const keep = quarantineOf(pipeline);
  const time = realTime('2026-01-15T12:00:05.000Z');
  const data = { id: 'msg-0006', to: '+12025550144', status: 'delivered' };
  const unreadable = { type: 'sms.status', data: { ...data, occurred_at: 'never' } };
  const entry = (requestId: string, content: unknown, receivedAt = time) => ({
    requestId,
    receivedAt,
    signedId: `evt-${requestId}`,
    raw: Buffer.from(JSON.stringify(content)),
  });
  await keep({ ...entry('req-0001', unreadable), index: 0, reason: 'bad-time' });
  const earlier = '2026-01-15T11:30:00.000Z';
  await keep({
    ...entry('req-0002', event('2026-01-15T11:29:59.000Z', data), realTime(earlier)),
    index: 0,
    reason: 'bad-time',
  });
  await keep({
    ...entry('req-0003', event('2026-01-15T11:29:59.000Z', { ...data, id: 'msg-0007' }), realTime(earlier)),
    headers: { 'webhook-id': 'evt-req-0003', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' },
    url: pipeline.webhookUrl,
    reason: 'signature-mismatch',
  });
};

function quarantineOf({ dynamoDb, outputs }: RunningPipeline) {
  const settings = { retentionDays: 90, listShards: Number(outputs.ListShards) };
  return createQuarantine(
    dynamoDb,
    outputs.QuarantineTableName ?? '',
    settings,
    identityHash(shippedContract),
  ).keep;
}

/** Captured requests of a service, the contract that is to read them, and files with a request and its secret. */
export const seedCaptures: Seed = async (pipeline, folder) => {
  const secret = await pipeline.webhookSecret();
  const { signature } = shippedContract.webhook;
  const keep = quarantineOf(pipeline);
  const url = pipeline.webhookUrl;
  for (const [index, status] of ['sent', 'delivered', 'undelivered', 'delivered'].entries()) {
    const time = `2026-01-15T11:4${index}:00.000Z`;
    const content = event(time, { id: `m${index}`, to: '+12025550144', status, send_id: 'capture-1' });
    const body = Buffer.from(JSON.stringify(content));
    const id = `evt-capture-${index}`;
    const unsigned = { body, id, now: Date.parse(realTime(time)), url };
    const headers = { ...signRequest(signature, unsigned, secret), 'content-type': 'application/json' };
    await keep({
      requestId: `capture-${index}`,
      receivedAt: realTime(time),
      raw: body,
      headers,
      url,
      reason: 'captured',
    });
    if (index > 0) continue;
    const lines = Object.entries({ host: new URL(url).host, ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    writeFileSync(
      join(folder, 'capture.http'),
      `# @receivedAt ${realTime(time)}\nPOST /webhooks/sms HTTP/1.1\n${lines.join('\n')}\n\n${body.toString()}\n`,
    );
    writeFileSync(
      join(folder, 'capture.json'),
      JSON.stringify({ url, headers, body: body.toString(), receivedAt: realTime(time) }),
    );
  }
  writeFileSync(join(folder, 'secret.txt'), `${secret}\n`);
  for (const name of ['mine.json', 'new.json', 'twilio.json'])
    writeFileSync(join(folder, name), JSON.stringify(shippedContractJson));
};

/** An event with a status that the contract does not list. */
export const seedDrift: Seed = async (pipeline) => {
  const data = {
    id: 'msg-0008',
    to: '+12025550144',
    status: 'teleported',
    occurred_at: new Date().toISOString(),
  };
  await deliverSigned(pipeline, { type: 'sms.status', data }, 'evt-drift');
};

/** Files with what a person copies out of the service's console. */
export const seedSecret: Seed = async (pipeline, folder) => {
  for (const name of ['secret.txt', 'new-secret.txt'])
    writeFileSync(join(folder, name), `${await pipeline.webhookSecret()}\n`);
};

export const seedContact: Seed = async (_pipeline, folder) => {
  writeFileSync(join(folder, 'contact.json'), JSON.stringify({ phone: '+12025550143', name: 'Ada' }));
};

/** The files of docs/guides/import.md. */
export const seedImport: Seed = async (_pipeline, folder) => {
  const row = (status: string, time: string, code: string, id: string, direction = 'outbound-api') =>
    `+12025550100,+12025550157,"Hello, ""you""\r\nyour code is 1234",${status},${time},2010-04-01,1,${code},AC00000000000000000000000000000000,SM0000000000000000000000000000000${id},${direction},-0.0079,USD`;
  const time = realTime('2026-01-14T09:00:00.000Z');
  const log = [
    'From,To,Body,Status,SentDate,ApiVersion,NumSegments,ErrorCode,AccountSid,Sid,Direction,Price,PriceUnit',
    row('delivered', time, '', '1'),
    row('delivered', time, '', '2'),
    row('partially_delivered', time, '', '3'),
    row('received', time, '', '4', 'inbound'),
    row('delivered', '', '', '5'),
    row('delivered', '2001-01-14T09:00:00Z', '', '6'),
  ];
  writeFileSync(join(folder, 'log.csv'), `${log.join('\r\n')}\r\n`);
  const guide = readFileSync(join(import.meta.dirname, '../../../../docs/guides/import.md'), 'utf8');
  const blocksOf = (language: string) =>
    [...guide.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^\\1\`\`\`$`, 'gm'))].map(
      ([, , text = '']) => text,
    );
  const [mapping = '', words = ''] = blocksOf('json');
  const [old = ''] = blocksOf('text');
  writeFileSync(join(folder, 'old.csv'), realTime(old));
  writeFileSync(join(folder, 'mapping.json'), mapping);
  writeFileSync(join(folder, 'words.json'), words);
};
