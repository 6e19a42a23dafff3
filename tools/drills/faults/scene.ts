import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { marshall } from '@aws-sdk/util-dynamodb';
import { createClient, type QueryClient } from '../../../client/index.ts';
import { newestDue, quarterMs, watchEvent } from '../../../functions/automations/index.ts';
import { watchStateKey } from '../../../functions/automations/io.ts';
import { detailTypes, eventSource } from '../../../functions/publish/shapes.ts';
import type { ForwardReceiver } from '../../engine/forward-receiver.ts';
import { cellOf } from '../../engine/ledger.ts';
import { courseOf, replyEvent, timeOf } from '../../engine/reports.ts';
import { Run } from '../../engine/run.ts';
import { sendByService } from '../../engine/sender.ts';
import type { LocalPipeline } from '../../support/local-pipeline.ts';
import { until } from '../../support/until.ts';

type Settings = Readonly<Record<string, string | number>>;

/** A run in which several cells send something of each kind. */
export class Scene extends Run {
  readonly receiver: ForwardReceiver;
  /** The settings that the pipeline was deployed with. */
  readonly settings: Settings;
  readonly #query: QueryClient;
  readonly #lambda: LambdaClient;
  #expiring: Promise<void> = Promise.resolve();
  #degrading: Promise<void> = Promise.resolve();
  #driftReports = 0;

  constructor(pipeline: LocalPipeline, settings: Settings, receiver: ForwardReceiver) {
    super(pipeline);
    this.settings = settings;
    this.receiver = receiver;
    const client = { region: 'us-east-1', credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };
    this.#lambda = new LambdaClient({ ...client, endpoint: `http://127.0.0.1:${pipeline.port + 4}` });
    this.#query = createClient({ ...client, baseUrl: pipeline.outputs.QueryUrl ?? '' });
  }

  /** Reports all statuses of a message at the same time, so that they arrive in any order. */
  async report(cell: string, padding?: string): Promise<void> {
    const reports = courseOf(this.ledger.newId(cell));
    await Promise.all(reports.map((report) => this.sender.deliver({ ...report, padding })));
  }

  /** Reports many messages in one request. The worker writes them at once. */
  async reportMany(cell: string, count: number): Promise<void> {
    const delivered = { status: 'delivered', second: 2 };
    await this.sender.deliverTogether(
      Array.from({ length: count }, () => ({ ...delivered, messageId: this.ledger.newId(cell) })),
    );
  }

  /** Reports a status of a message by a word of the service. @param status what the word means */
  async reportWord(cell: string, word: string, status: string): Promise<void> {
    await this.sender.deliver({ messageId: this.ledger.newId(cell), status, word, second: 1 });
  }

  /** Makes the service report messages until all reports of one are acknowledged. The pipeline may not know the secret of the service yet. */
  async reportByService(cell: string): Promise<void> {
    await until('the events of the service are acknowledged', async () => {
      const reports = courseOf(this.ledger.newId(cell));
      const options = { ratePerSecond: 100, signal: AbortSignal.timeout(60_000) };
      const entries = await sendByService(this.sandbox, this.ledger, reports, options);
      return entries.every(({ answer }) => answer === 'acknowledged');
    });
  }

  async forge(cell: string): Promise<void> {
    await this.sender.deliverForged({
      messageId: this.ledger.newId(cell),
      status: 'delivered',
      second: 2,
    });
  }

  async sendUnreadable(cell: string): Promise<void> {
    const id = this.ledger.newId(cell);
    await this.sender.deliverOther({ type: 'sms.unheard-of', data: { id } });
    this.ledger.unreadable.add(id);
  }

  /** A customer replies STOP. */
  stop(cell: string): Promise<void> {
    return this.#reply(cell, 'STOP');
  }

  /** A customer sends a reply without a keyword. */
  thank(cell: string): Promise<void> {
    return this.#reply(cell, 'Thanks');
  }

  async #reply(cell: string, text: string): Promise<void> {
    const id = this.ledger.newId(cell);
    const from = this.ledger.newNumber();
    await this.sender.deliverOther(replyEvent(from, text, id));
    this.ledger.replies.set(id, { number: from, isStop: text === 'STOP' });
  }

  /** Queries a list that is split among all shards. @throws QueryError if the answer is an error */
  async ask(): Promise<void> {
    await this.#query.listMessages({ state: 'pending' });
  }

  /** Puts events into the queue from which they are forwarded to the receiver. @returns their ids */
  async forward(count: number): Promise<readonly string[]> {
    const ids = Array.from({ length: count }, () => randomBytes(16).toString('hex'));
    const Entries = ids.map((eventId, index) => {
      const detail = {
        pipeline: this.pipeline.outputs.PipelineName,
        version: 1,
        eventId,
        state: 'no-default-card',
      };
      const event = { source: eventSource, 'detail-type': detailTypes.cardExpiring, time: timeOf(0), detail };
      return { Id: String(index), MessageBody: JSON.stringify(event) };
    });
    const { ForwardQueueUrl } = this.pipeline.outputs;
    await this.pipeline.sqs.send(new SendMessageBatchCommand({ QueueUrl: ForwardQueueUrl, Entries }));
    return ids;
  }

  /** Puts a message into the queue of the opt-outs that the automation cannot read. */
  async sendNoEvent(cell: string): Promise<void> {
    const id = this.ledger.newId(cell);
    const { OptOutQueueUrl } = this.pipeline.outputs;
    await this.pipeline.sqs.send(new SendMessageCommand({ QueueUrl: OptOutQueueUrl, MessageBody: id }));
    this.ledger.noEvents.add(id);
  }

  /** Puts an item into the history table that the publisher cannot read. */
  async putStrayItem(cell: string): Promise<void> {
    const key = this.ledger.newId(cell);
    await this.pipeline.dynamoDb.send(
      new PutItemCommand({
        TableName: this.pipeline.outputs.HistoryTableName,
        Item: { pk: { S: `message#${key}` }, messageId: { S: key }, 'event#1': { S: 'no event' } },
      }),
    );
    this.ledger.strayItems.add(key);
  }

  /** Replaces the default card by an expired one, and waits until the billing watch has published an event. Calls wait for each other. */
  letCardExpire(cell: string): Promise<void> {
    this.#expiring = this.#expiring.catch(() => {}).then(() => this.#letNextCardExpire(cell));
    return this.#expiring;
  }

  async #letNextCardExpire(cell: string): Promise<void> {
    const card = randomUUID();
    const FunctionName = this.pipeline.outputs.BillingWatchFunctionName;
    await this.sandbox.setCards([{ id: card, validate: '01/20', default: true }]);
    this.ledger.cards.set(card, this.ledger.newId(cell));
    await until(
      'the event about the card is published',
      async () => {
        const invoke = new InvokeCommand({ FunctionName, Payload: '{}' });
        return (await this.#lambda.send(invoke)).FunctionError === undefined;
      },
      120_000,
    );
  }

  /** Gives the delivery watch an unpublished event, and waits until it has published the event. Calls wait for each other. */
  degrade(cell: string): Promise<void> {
    this.#degrading = this.#degrading.catch(() => {}).then(() => this.#degradeNext(cell));
    return this.#degrading;
  }

  async #degradeNext(cell: string): Promise<void> {
    const { dynamoDb, outputs } = this.pipeline;
    const TableName = outputs.InsightsTableName;
    const now = Date.now();
    const subject = { kind: 'country', country: 'DE' } as const;
    const event = watchEvent({ kind: 'degraded', subject, since: now, findings: [] }, [], now);
    this.ledger.degradations.set(event.detail.eventId, this.ledger.newId(cell));
    const state = {
      version: now,
      judgedTo: new Date(newestDue(now) - quarterMs).toISOString(),
      subjects: '{}',
      badSends: '{}',
      unpublished: JSON.stringify([event]),
    };
    await dynamoDb.send(new PutItemCommand({ TableName, Item: marshall({ ...watchStateKey, ...state }) }));
    const read = { TableName, Key: marshall(watchStateKey), ConsistentRead: true };
    const invoke = { FunctionName: outputs.DeliveryWatchFunctionName, Payload: '{}' };
    await until(
      'the event of the delivery watch is published',
      async () => {
        const { FunctionError } = await this.#lambda.send(new InvokeCommand(invoke));
        if (FunctionError !== undefined) return false;
        return (await dynamoDb.send(new GetItemCommand(read))).Item?.unpublished?.S === '[]';
      },
      120_000,
    );
  }

  /** Waits until all requests of a cell are stored, published and processed. */
  async untilHandled(cell: string): Promise<void> {
    const { ledger } = this;
    const numbers = [...ledger.replies].filter(([id]) => cellOf(id) === cell).map(([, { number }]) => number);
    const stored = [...ledger.reports.values()].filter(({ answer }) => answer === 'acknowledged');
    const ids = stored.map(({ report }) => report.messageId);
    const own = ids.filter((id) => cellOf(id) === cell);
    await until(
      'all requests are published and processed',
      async () => {
        const contacts = await this.sandbox.contacts();
        const { messages } = await this.readBus();
        return numbers.every((number) => contacts.has(number)) && own.every((id) => messages.has(id));
      },
      180_000,
    );
  }

  /** Sends events until the pipeline has noticed the new secret by its mismatches. Setup follows mismatches at most once a minute. */
  async untilNoticed(cell: string): Promise<void> {
    await until(
      'the pipeline has noticed the new secret',
      async () => {
        if (await this.isSecretCurrent()) return true;
        await this.reportByService(cell);
        await delay(3000);
        return false;
      },
      150_000,
    );
  }

  /** Returns how often drift was published, or was logged as not published because the bus failed for longer than setup retries. */
  async #reportsOfDrift(): Promise<number> {
    const { drifts } = await this.readBus();
    return drifts.size + this.pipeline.functionLog('setup').split('"SETUP-14"').length;
  }

  /** Stores how often drift was reported. */
  async countDrift(): Promise<void> {
    this.#driftReports = await this.#reportsOfDrift();
  }

  /** Waits until drift is reported once more. */
  async untilMoreDriftIsReported(): Promise<void> {
    await until(
      'the drift of the webhook is published, or logged as not published',
      async () => (await this.reconcile()) && (await this.#reportsOfDrift()) > this.#driftReports,
    );
  }
}
