import { DeleteItemCommand, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { expectedOf } from '../../../contract/document/expected.ts';
import { contractHash, identityHash } from '../../../contract/events/body.ts';
import { createMapper } from '../../../contract/events/mapping.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { signRequest } from '../../../contract/signature/sign.ts';
import * as scheme from '../../../contract/signature/verify.ts';
import { createDriftObserver, createDriftRegister } from '../../../functions/history/drift-store.ts';
import { createHistoryWriter } from '../../../functions/history/history-write-store.ts';
import { createOptOutRegister } from '../../../functions/history/opt-out/opt-out-store.ts';
import { type Envelope, encodeEnvelope } from '../../../functions/receive/envelope.ts';
import { contractRules } from '../../../functions/receive/ingest/contract-rules.ts';
import type { QuarantinedEntry } from '../../../functions/receive/quarantine/quarantine.ts';
import {
  createQuarantine,
  quarantinedFromItem,
} from '../../../functions/receive/quarantine/quarantine-store.ts';
import type { SecretDocument } from '../../../functions/registration/secret/secret-document.ts';
import { shippedContract } from '../../../tools/support/contracts.ts';
import type { HistoryTables } from '../../../tools/support/history-tables.ts';
import type { RequestParts } from '../../../tools/support/lambda-events.ts';
import { recorder } from '../../support/recorder.ts';
import { documentWith, ingest } from '../../unit/functions/receive/ingest/ingest-under-test.ts';
import { queueMessage } from '../../unit/functions/receive/worker/queue-messages.ts';
import { status, workerUnderTest } from '../../unit/functions/receive/worker/worker-under-test.ts';

/** The secret of the service, and one of a forger. */
export const [secret, forgersSecret] = ['whsec_b2xkLXNlY3JldC1vZi1hLXRlc3Q=', 'whsec_Zm9yZ2Vk'];
export const now = Date.UTC(2026, 0, 15, 12, 0, 5);
const url = 'https://example.test/webhooks/sms';

/** A call is refused; it is done, and its answer never arrives; or another process does something just before it. */
type Fault = 'refused' | 'answer lost' | (() => Promise<void>);
type Service = 'queue' | 'database';

/** What differs from the contract that ships, its secret and its URL. */
interface Parts {
  readonly contract?: Contract;
  readonly secret?: string;
  readonly url?: string;
  /** The time of both functions; milliseconds since the epoch. */
  readonly now?: number;
  /** Whether the worker records where events differ from the contract. */
  readonly recordsDrift?: true;
}

/**
 * The half of the pipeline that receives and stores, in one process: the real ingest and the real worker, a queue in memory that
 * redelivers what the worker reports as failed, and the tables in DynamoDB Local.
 */
export function receivingHalf(tables: HistoryTables, parts: Parts = {}) {
  const { contract = shippedContract, secret: current = secret, url: webhookUrl = url } = parts;
  // Each request is received a millisecond after the one before: all requests of this test API have one id, and quarantine distinguishes by time.
  let posts = 0;
  const clock = () => (parts.now ?? now) + posts;
  const webhook = { ...contract.webhook, hash: contractHash(contract) };
  const { rules, headersRead } = contractRules(webhook, scheme);
  const { verify } = rules;
  let waiting: { readonly id: string; readonly body: string; receiveCount: number }[] = [];
  let queued = 0;
  const stored: { document: SecretDocument; confirmedAt: string | undefined } = {
    document: documentWith(current),
    confirmedAt: undefined,
  };

  /** The calls that go wrong, by their position among the calls to come. */
  const faults: { readonly service: Service; calls: number; readonly fault: Fault }[] = [];
  let spoiled = 0;
  async function call<T>(service: Service, run: () => Promise<T>): Promise<T> {
    const due = faults.filter((fault) => fault.service === service && --fault.calls === 0);
    const [fault] = due.map((one) => one.fault);
    if (fault !== undefined) spoiled += 1;
    if (typeof fault === 'function') await fault();
    if (fault === 'refused') throw new Error(`the ${service} refuses`);
    const answer = await run();
    if (fault === 'answer lost') throw new Error(`the answer of the ${service} is lost`);
    return answer;
  }

  const send: DynamoDBClient['send'] = (...args: [never]) =>
    call('database', () => tables.client.send(...args));
  const client: DynamoDBClient = Object.create(tables.client, { send: { value: send } });
  const settings = { retentionDays: 400, listShards: 4 };
  const history = createHistoryWriter(client, tables.history, settings);

  const { post } = ingest({
    ...rules,
    clock,
    webhookUrl,
    cache: { read: async () => stored.document, reread: async () => stored.document },
    queue: { send: (body) => call('queue', async () => void enqueue(body)) },
  });
  const { log, count } = recorder();
  const { work } = workerUnderTest({
    ...history,
    map: createMapper(contract, parts.recordsDrift && expectedOf(contract)),
    ...(parts.recordsDrift && {
      observeDrift: createDriftObserver(createDriftRegister(client, tables.history), clock, log, count),
    }),
    optOuts: createOptOutRegister(client, tables.history, settings),
    quarantine: createQuarantine(
      client,
      tables.quarantine,
      { ...settings, retentionDays: 90 },
      identityHash(contract),
    ),
    parked: ({ log, count }) => ({
      verify,
      state: {
        read: async () =>
          stored.confirmedAt === undefined ? {} : { confirmed: { at: stored.confirmedAt, versionId: 'v1' } },
      },
      secret: { read: async () => ({ versionId: 'v1', document: stored.document }) },
      harmlessHeaders: headersRead.signatures,
      tokenIn: rules.tokenIn,
      readsQuery: contract.webhook.reads?.query !== undefined,
      visibility: { change: async () => [] },
      log,
      count,
    }),
    clock,
  });

  function enqueue(body: string): void {
    queued += 1;
    waiting.push({ id: `q-${queued}`, body, receiveCount: 0 });
  }

  /** Invokes the worker once with these queue messages. Only those that it does not report as failed leave the queue. */
  async function invokeWorker(size = waiting.length): Promise<void> {
    const batch = waiting.slice(0, size);
    for (const message of batch) message.receiveCount += 1;
    const failed = await work(
      batch.map(({ id, body, receiveCount }) => ({ ...queueMessage(id, body), receiveCount })),
    );
    waiting = waiting.filter((message) => !batch.includes(message) || failed.includes(message.id));
  }

  const scan = async (TableName: string) =>
    (await tables.client.send(new ScanCommand({ TableName, ConsistentRead: true }))).Items ?? [];

  return {
    /** Posts a request to the webhook. @returns the status of the answer: 200 acknowledges it */
    async post(request: RequestParts): Promise<number> {
      posts += 1;
      return (await post(request)).statusCode ?? 200;
    },
    /** Puts a request that ingest has verified into the queue. */
    enqueue: (envelope: Envelope) => enqueue(encodeEnvelope(envelope)),
    /** Delivers each waiting queue message once more, as SQS may. */
    deliverTwice: () => {
      for (const { body } of [...waiting]) enqueue(body);
    },
    invokeWorker,
    /** Invokes the worker until the queue is empty, as SQS does. @throws Error if a message fails again and again */
    async work(batchSize?: number): Promise<void> {
      for (let invocations = 0; waiting.length > 0; invocations++) {
        if (invocations > 100) throw new Error(`${waiting.length} messages stay in the queue`);
        await invokeWorker(batchSize);
      }
    },
    waiting: () => waiting.length,
    /** Lets a call to come go wrong: 1 is the next one. */
    spoil: (service: Service, calls: number, fault: Fault) => void faults.push({ service, calls, fault }),
    /** How many calls went wrong. */
    spoiled: () => spoiled,
    /** The secret as Secrets Manager has it, and when the service has last confirmed it. */
    secret: stored,
    /** Every item of the history: messages, replies and the register of opt-outs. */
    history: async () => (await scan(tables.history)).map((item) => unmarshall(item)),
    quarantine: async (): Promise<QuarantinedEntry[]> =>
      (await scan(tables.quarantine)).map(quarantinedFromItem),
    /** Empties both tables. */
    async forget(): Promise<void> {
      for (const TableName of [tables.history, tables.quarantine])
        for (const { pk = { S: '' }, sk } of await scan(TableName))
          await tables.client.send(
            new DeleteItemCommand({ TableName, Key: sk === undefined ? { pk } : { pk, sk } }),
          );
    },
  };
}

export type ReceivingHalf = ReturnType<typeof receivingHalf>;

/** A body as the service of the contract that ships posts it, with its signature. The id is that of the event. */
export function signed(body: unknown, id: string, key = secret): RequestParts & { readonly body: string } {
  const text = JSON.stringify(body);
  const request = { body: Buffer.from(text), id, now, url };
  return { body: text, headers: signRequest(shippedContract.webhook.signature, request, key) };
}

/** A signed delivery report. */
export const report = (messageId: string, word: string, second = 5, key = secret) =>
  signed(status(messageId, word, second), `evt-${messageId}-${word}`, key);
