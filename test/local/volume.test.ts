import { createHash } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signRequest } from '../../functions/core/signature/sign.ts';
import { shippedContract } from '../support/contracts.ts';
import { type LocalBus, localBus, type PublishedEvent } from '../support/local-bus.ts';
import { type LocalPipeline, startLocalPipeline } from '../support/local-pipeline.ts';
import { until } from '../support/until.ts';

/** The shortest timeout the settings allow: what a killed worker held is visible again after six times that. */
const settings = { 'sms:workerTimeoutSeconds': 10, 'sms:everyEvent': 'on' };
const scheme = shippedContract.webhook.signature;

let pipeline: LocalPipeline;
let bus: LocalBus;
beforeEach(async () => {
  pipeline = await startLocalPipeline(settings);
  bus = localBus(pipeline.port);
});
afterEach(() => pipeline.stop());

interface Sent {
  readonly messageId: string;
  readonly eventId: string;
  readonly status: string;
  readonly second: number;
}

/** Messages with the courses services report: three or four events each, every fourth message failing. */
function eventsOf(messages: number, events: number): Sent[] {
  const courses = [
    ['queued', 'sent', 'delivered'],
    ['accepted', 'queued', 'sent', 'delivered'],
    ['queued', 'sent', 'delivered'],
    ['queued', 'sent', 'undelivered'],
  ];
  const all = Array.from({ length: messages }, (_, number) => {
    const messageId = `msg-${number}`;
    return (courses[number % courses.length] ?? []).map((status, index) => ({
      messageId,
      eventId: `${messageId}-${index}`,
      status,
      second: index,
    }));
  }).flat();
  // A further "sent" for the first messages brings it to the number asked for.
  const more = Array.from({ length: events - all.length }, (_, number) => ({
    messageId: `msg-${number}`,
    eventId: `msg-${number}-again`,
    status: 'sent',
    second: 2,
  }));
  return [...all, ...more];
}

/** A repeatable shuffle of each event one to three times. */
function arrivalsOf(events: readonly Sent[]): Sent[] {
  let state = 1;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const arrivals = events.flatMap((event) =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => event),
  );
  return arrivals
    .map((event) => ({ event, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ event }) => event);
}

/** Posts every arrival until it is acknowledged; the number of answers that were no acknowledgement. */
async function send(
  arrivals: readonly Sent[],
  concurrency: number,
  onProgress: (sent: number) => void = () => {},
  onRefusal: () => void = () => {},
): Promise<number> {
  const secret = await pipeline.webhookSecret();
  let refused = 0;
  let sent = 0;
  const post = async ({ messageId, eventId, status, second }: Sent): Promise<void> => {
    const occurredAt = new Date(Date.UTC(2026, 0, 15, 12, 0, second)).toISOString();
    const body = Buffer.from(
      JSON.stringify({
        type: 'sms.status',
        data: { id: messageId, to: '+12025550143', status, occurred_at: occurredAt },
      }),
    );
    const headers = signRequest(
      scheme,
      { body, id: eventId, now: Date.now(), url: pipeline.webhookUrl },
      secret,
    );
    const answer = await fetch(pipeline.webhookUrl, {
      method: 'POST',
      body,
      headers: { ...headers, 'content-type': 'application/json' },
    });
    await answer.body?.cancel();
    if (answer.status === 200) return;
    expect(answer.status).toBe(503);
    refused += 1;
    onRefusal();
    return post({ messageId, eventId, status, second });
  };
  await pMap(
    arrivals,
    async (event) => {
      await post(event);
      sent += 1;
      onProgress(sent);
    },
    { concurrency },
  );
  return refused;
}

async function scan(table: string | undefined) {
  const items = [];
  let from: Record<string, never> | undefined;
  do {
    const page = await pipeline.dynamoDb.send(
      new ScanCommand({ TableName: table, ...(from === undefined ? {} : { ExclusiveStartKey: from }) }),
    );
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey as Record<string, never> | undefined;
  } while (from !== undefined);
  return items;
}

/** History as it came out: by message, its status and the ids of its events. */
async function outcome(): Promise<Record<string, string>> {
  const { EventsQueueUrl, HistoryTableName } = pipeline.outputs;
  await pipeline.untilQueueIsEmpty(EventsQueueUrl, 180_000);
  const items = await scan(HistoryTableName);
  return Object.fromEntries(
    items.map((item) => {
      const events = Object.keys(item).filter((name) => name.startsWith('event#'));
      return [item.messageId?.S, `${item.status?.S} ${item.eventCount?.N} ${events.sort().join(' ')}`];
    }),
  );
}

function expectedOf(events: readonly Sent[]): Record<string, string> {
  const byMessage = Map.groupBy(events, ({ messageId }) => messageId);
  return Object.fromEntries(
    [...byMessage].map(([messageId, own]) => {
      const status = own.find(({ status: word }) => word === 'delivered' || word === 'undelivered')?.status;
      const ids = own.map(({ eventId }) => `event#${eventId}`).sort();
      return [messageId, `${status} ${own.length} ${ids.join(' ')}`];
    }),
  );
}

/** The stored facts that the bus must tell: each report, by its message and its id in the history. */
function factsOf(events: readonly Sent[]): Map<string, string> {
  // Reckoned here once more: consumers rely on what the id is made of.
  const idOf = (kind: string, ...parts: readonly string[]) =>
    createHash('sha256')
      .update(JSON.stringify([kind, ...parts]))
      .digest('hex')
      .slice(0, 32);
  return new Map(
    events.map(({ messageId, eventId }) => [`${messageId} ${eventId}`, idOf('report', messageId, eventId)]),
  );
}

const ofType = (published: readonly PublishedEvent[], detailType: string) =>
  published.filter((event) => event['detail-type'] === detailType).map(({ detail }) => detail);

/** What the bus has told of reports: by fact, every id under which it was told. */
function toldOf(published: readonly PublishedEvent[]): Map<string, string> {
  return new Map(
    ofType(published, 'SMS Delivery Event').map((detail) => [
      `${detail.messageId} ${detail.historyEventId} ${detail.eventId}`,
      detail.eventId,
    ]),
  );
}

async function expectNothingLeftOver(): Promise<void> {
  expect(await pipeline.queueDepth(pipeline.outputs.DeadLetterQueueUrl)).toEqual({ waiting: 0, inFlight: 0 });
  expect(await scan(pipeline.outputs.QuarantineTableName)).toEqual([]);
}

describe('3,000 events of 900 messages, shuffled, each sent one to three times', () => {
  const events = eventsOf(900, 3000);
  const arrivals = arrivalsOf(events);

  it('become exactly 900 messages, each fact on the bus, while worker and publisher are killed three times and the bus refuses a fifth', async () => {
    expect(events).toHaveLength(3000);
    await bus.fail({ refuseShare: 0.2 });
    const killed = new Set<number>();
    const killings: Promise<void>[] = [];
    const kill = (pid: number) => {
      process.kill(pid, 'SIGKILL');
      killed.add(pid);
    };
    const alive = (part: string) => pipeline.processes(part).find((pid) => !killed.has(pid));
    const killWorker = async () =>
      kill(
        await until('a worker in the middle of a batch', async () => {
          const { inFlight } = await pipeline.queueDepth(pipeline.outputs.EventsQueueUrl);
          return inFlight === 0 ? undefined : alive('worker');
        }),
      );
    const killPublisher = async () => kill(await until('a publisher', () => alive('publisher')));
    const quarter = Math.floor(arrivals.length / 4);
    const refused = await send(arrivals, 50, (sent) => {
      if (sent % quarter === 0 && sent < 4 * quarter) killings.push(killWorker(), killPublisher());
    });
    await Promise.all(killings);
    expect(refused).toBe(0);
    expect(killed.size).toBe(6);
    expect(await outcome()).toEqual(expectedOf(events));
    await expectNothingLeftOver();

    const facts = factsOf(events);
    const published = await until(
      'every stored report on the bus',
      async () => {
        const so = await bus.published();
        return toldOf(so).size >= facts.size ? so : undefined;
      },
      120_000,
    );
    // Each fact under its one right id; nothing that is not stored; repeats only under the same id.
    expect([...toldOf(published).keys()].sort()).toEqual(
      [...facts].map(([fact, eventId]) => `${fact} ${eventId}`).sort(),
    );
    expect(new Set(facts.values()).size).toBe(facts.size);
    const changes = ofType(published, 'SMS Delivery Status Changed');
    for (const { messageId, historyEventId } of changes)
      expect(facts.has(`${messageId} ${historyEventId}`)).toBe(true);
    const ended = changes.filter(({ final }) => final === true);
    expect(new Set(ended.map(({ messageId, status }) => `${messageId} ${status}`))).toEqual(
      new Set(Object.entries(expectedOf(events)).map(([id, state]) => `${id} ${state.split(' ')[0]}`)),
    );
    expect(new Set(ended.map(({ eventId }) => eventId)).size).toBe(900);
    expect(await pipeline.queueDepth(pipeline.outputs.PublisherFailuresQueueUrl)).toEqual({
      waiting: 0,
      inFlight: 0,
    });
  });
});

describe('an outage', () => {
  /** Makes a service hang; returns how to wake it up. */
  const hang = (service: string) => {
    const pids = pipeline.processes(service);
    expect(pids).toHaveLength(1);
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    return () => {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
    };
  };

  it('of DynamoDB leaves everything in the queue until it is over', async () => {
    const events = eventsOf(30, 100);
    const resume = hang('DynamoDB Local');
    expect(await send(events, 10)).toBe(0);
    await until(
      'the worker has failed',
      () => pipeline.functionLog('worker').includes('WORKER-04') || undefined,
      60_000,
    );
    resume();
    expect(await outcome()).toEqual(expectedOf(events));
    await expectNothingLeftOver();
  });

  it('of SQS is answered 503, and nothing acknowledged is lost', async () => {
    const events = eventsOf(3, 10);
    await send(events.slice(0, 5), 5);
    const resume = hang('SQS');
    let refused = 0;
    const sending = send(events.slice(5), 5, undefined, () => {
      refused += 1;
      if (refused === 5) resume();
    });
    await sending;
    expect(refused).toBeGreaterThanOrEqual(5);
    expect(await outcome()).toEqual(expectedOf(events));
    await expectNothingLeftOver();
  });

  it('of the bus holds events back until it is over, and loses none', async () => {
    const events = eventsOf(30, 100);
    await bus.fail({ throttle: true });
    expect(await send(events, 10)).toBe(0);
    await until(
      'the publisher has failed',
      () => pipeline.functionLog('publisher').includes('PUBLISH-01') || undefined,
      60_000,
    );
    expect(await bus.published()).toEqual([]);
    await bus.recover();
    const facts = factsOf(events);
    const told = await until(
      'every stored report on the bus',
      async () => {
        const so = toldOf(await bus.published());
        return so.size >= facts.size ? so : undefined;
      },
      60_000,
    );
    expect([...told.keys()].sort()).toEqual([...facts].map(([fact, eventId]) => `${fact} ${eventId}`).sort());
  });
});
