import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { createQueryClient, type QueryClient } from '../../../cli/stores/query-client.ts';
import { detailTypes, eventSource } from '../../../functions/bus/event-types.ts';
import { type LocalBus, localBus } from '../../support/local-bus.ts';
import type { LocalPipeline } from '../../support/local-pipeline.ts';
import { type DrillEvent, type Sandbox, sandboxAt } from '../../support/sandbox.ts';
import { smsCommand } from '../../support/sms-command.ts';
import { until } from '../../support/until.ts';
import { cellOf, Ledger } from '../judge/ledger.ts';
import { type FaultControl, faultControl } from './fault-control.ts';
import type { ForwardReceiver } from './forward-receiver.ts';
import { type WebhookSender, webhookSender } from './webhook-sender.ts';

/** The statuses of a message; each came about in the second of its place. */
const course = ['queued', 'sent', 'delivered'];

/** A pipeline on this machine with everything that a cell does to it. */
export class Scene {
  readonly pipeline: LocalPipeline;
  readonly bus: LocalBus;
  readonly faults: FaultControl;
  readonly ledger = new Ledger();
  readonly sender: WebhookSender;
  readonly receiver: ForwardReceiver;
  readonly #query: QueryClient;
  readonly #sandbox: Sandbox;
  readonly #lambda: LambdaClient;
  #expiring: Promise<void> = Promise.resolve();
  #driftEvents = 0;

  constructor(pipeline: LocalPipeline, receiver: ForwardReceiver) {
    this.pipeline = pipeline;
    this.receiver = receiver;
    this.bus = localBus(pipeline.port);
    this.faults = faultControl(pipeline.port);
    this.sender = webhookSender(pipeline);
    this.#sandbox = sandboxAt(`http://127.0.0.1:${pipeline.port + 1}`);
    const region = 'us-east-1';
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    this.#lambda = new LambdaClient({
      endpoint: `http://127.0.0.1:${pipeline.port + 4}`,
      region,
      credentials,
    });
    this.#query = createQueryClient({ baseUrl: pipeline.outputs.QueryUrl ?? '', region, credentials });
  }

  /** Ends the processes of a function, so that the next ones know nothing: no secret, no token. Returns how many they were. */
  async kill(label: string): Promise<number> {
    const pids = this.pipeline.processes(label);
    pids.forEach(endProcess);
    // Until then it may be given work.
    const isGone = () => !this.pipeline.processes(label).some((pid) => pids.includes(pid));
    await until('they are gone', isGone, 60_000);
    return pids.length;
  }

  /**
   * Reports all of a message's statuses, at once and in any order.
   *
   * @param padding sent along with each, of which nothing is kept
   */
  async report(cell: string, padding?: string): Promise<void> {
    const messageId = this.ledger.newId(cell);
    await Promise.all(
      course.map(async (status, second) => {
        await this.sender.send(statusReport(messageId, status, second, padding));
        this.ledger.acknowledged(messageId, status);
      }),
    );
  }

  /** Reports so many messages in one request, which the worker writes at once. */
  async reportMany(cell: string, count: number): Promise<void> {
    const ids = Array.from({ length: count }, () => this.ledger.newId(cell));
    await this.sender.send(ids.map((id) => statusReport(id, 'delivered', 2)));
    for (const id of ids) this.ledger.acknowledged(id, 'delivered');
  }

  /** Asks for a list that is kept in as many partitions as there are shards. @throws QueryError for an answer that is an error */
  async ask(): Promise<void> {
    await this.#query.pending();
  }

  /** Has so many events forwarded to the receiver. @returns their ids */
  async forward(count: number): Promise<readonly string[]> {
    const ids = Array.from({ length: count }, () => randomBytes(16).toString('hex'));
    const Entries = ids.map((eventId, index) => {
      const detail = { version: 1, eventId, state: 'no-default-card' };
      const event = {
        source: eventSource,
        'detail-type': detailTypes.cardExpiring,
        time: timeOf(0),
        detail,
      };
      return { Id: String(index), MessageBody: JSON.stringify(event) };
    });
    const { ForwardQueueUrl } = this.pipeline.outputs;
    await this.pipeline.sqs.send(new SendMessageBatchCommand({ QueueUrl: ForwardQueueUrl, Entries }));
    return ids;
  }

  /** Reports a message in a word of the service's that stands for this status. */
  async reportWord(cell: string, word: string, status: string): Promise<void> {
    const messageId = this.ledger.newId(cell);
    await this.sender.send(statusReport(messageId, word, 1));
    this.ledger.acknowledged(messageId, status);
  }

  /** The same, but signed by the service, whose secret the pipeline may not know yet. */
  async reportByService(cell: string): Promise<void> {
    const messageId = this.ledger.newId(cell);
    const events: DrillEvent[] = course.map((status, second) => ({
      kind: 'sms.status',
      fields: { messageId, recipient: '+12025550143', status, occurredAt: timeOf(second) },
    }));
    const { failed } = await this.#sandbox.send(events, 100, AbortSignal.timeout(60_000));
    const lost = new Set(failed.map(({ event }) => event));
    for (const [index, status] of course.entries())
      if (!lost.has(index)) this.ledger.acknowledged(messageId, status);
    if (lost.size > 0) throw new Error(`${lost.size} events of the service were not acknowledged`);
  }

  async forge(cell: string): Promise<void> {
    const messageId = this.ledger.newId(cell);
    await this.sender.forge(statusReport(messageId, 'delivered', 2));
    this.ledger.forged.add(messageId);
  }

  async sendUnreadable(cell: string): Promise<void> {
    const word = this.ledger.newId(cell);
    await this.sender.send({ type: 'sms.unheard-of', data: { word } });
    this.ledger.unreadable.add(word);
  }

  /** A number's wish for no more messages. */
  async stop(cell: string): Promise<void> {
    const { id, from } = await this.#reply(cell, 'STOP');
    this.ledger.stops.set(id, from);
  }

  /** A reply that wants nothing. */
  async thank(cell: string): Promise<void> {
    const { id, from } = await this.#reply(cell, 'Thanks');
    this.ledger.thanks.set(id, from);
  }

  async #reply(cell: string, text: string): Promise<{ readonly id: string; readonly from: string }> {
    const id = this.ledger.newId(cell);
    const from = this.ledger.newNumber();
    const data = { id, from, to: '+12025550100', text, occurred_at: new Date().toISOString() };
    await this.sender.send({ type: 'sms.reply', data });
    return { id, from };
  }

  /** Something in the queue of the opt-outs that is no event. */
  async sendNoEvent(cell: string): Promise<void> {
    const id = this.ledger.newId(cell);
    const { OptOutQueueUrl } = this.pipeline.outputs;
    await this.pipeline.sqs.send(new SendMessageCommand({ QueueUrl: OptOutQueueUrl, MessageBody: id }));
    this.ledger.noEvents.add(id);
  }

  /** An item in the table of history that no version of the pipeline writes. */
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

  /** Adds an expired default card and waits until the function that watches it publishes an event; one card at a time. */
  letCardExpire(cell: string): Promise<void> {
    this.#expiring = this.#expiring.catch(() => {}).then(() => this.#letNextCardExpire(cell));
    return this.#expiring;
  }

  async #letNextCardExpire(cell: string): Promise<void> {
    const card = randomUUID();
    await this.#sandbox.setCards([{ id: card, validate: '01/20', default: true }]);
    this.ledger.cards.set(card, this.ledger.newId(cell));
    await until(
      'the event about the card is published',
      async () => {
        const { FunctionError } = await this.#lambda.send(
          new InvokeCommand({ FunctionName: this.pipeline.outputs.BillingWatchFunctionName, Payload: '{}' }),
        );
        return FunctionError === undefined;
      },
      120_000,
    );
  }

  /** Numbers of the contacts at the service. */
  async contacts(): Promise<ReadonlySet<string>> {
    return this.#sandbox.contacts();
  }

  /** Waits until all requests of a cell are stored, published and processed. */
  async untilHandled(cell: string): Promise<void> {
    const { bus, ledger } = this;
    const replies = [...ledger.stops, ...ledger.thanks].filter(([id]) => cellOf(id) === cell);
    const messages = [...ledger.reports.keys()].filter((id) => cellOf(id) === cell);
    await until(
      'all requests are published and processed',
      async () => {
        const contacts = await this.contacts();
        const published = new Set((await bus.published()).map(({ detail }) => detail.messageId));
        return (
          replies.every(([, number]) => contacts.has(number)) && messages.every((id) => published.has(id))
        );
      },
      180_000,
    );
  }

  /** Rotates the service's secret without the pipeline. */
  async rotateElsewhere(): Promise<void> {
    await this.#sandbox.rotateElsewhere();
  }

  /** Rotates the service's secret and changes the webhook to another address, which the pipeline also answers. */
  async changeElsewhere(): Promise<void> {
    await this.#sandbox.rotateElsewhere();
    await this.#sandbox.changeUrl(`${this.pipeline.webhookUrl}?elsewhere`);
  }

  /** Has the pipeline look for drift once, whatever comes of it. */
  async reconcile(): Promise<boolean> {
    const { code } = await smsCommand(this.pipeline.directory, ['webhook', 'reconcile']);
    return code === 0;
  }

  /** Has the pipeline look for drift until the stored secret is the service's. */
  async reconcileUntilGood(): Promise<void> {
    const what = 'the stored secret is the one of the service';
    await until(what, async () => (await this.reconcile()) && this.#isGood(), 60_000);
  }

  /** Waits until it is so by what comes in alone; the pipeline follows its own mismatches at most once a minute. */
  async untilNoticed(cell: string): Promise<void> {
    await until(
      'the pipeline has noticed the new secret',
      async () => {
        if (await this.#isGood()) return true;
        await this.reportByService(cell);
        await delay(3000);
        return false;
      },
      150_000,
    );
  }

  async #isGood(): Promise<boolean> {
    const { code, out } = await smsCommand(this.pipeline.directory, ['webhook', 'status']);
    return code === 0 && !out.includes('not the one at the SMS service');
  }

  /** Stores the number of published drift events. */
  async countDrift(): Promise<void> {
    this.#driftEvents = await this.#countDriftEvents();
  }

  /** Waits until one more drift event is published. */
  async untilMoreDriftIsPublished(): Promise<void> {
    await until(
      'an event about the drift of the webhook is published',
      async () => (await this.reconcile()) && (await this.#countDriftEvents()) > this.#driftEvents,
      60_000,
    );
  }

  async #countDriftEvents(): Promise<number> {
    const events = (await this.bus.published()).filter(
      (event) => event['detail-type'] === detailTypes.webhookDrifted,
    );
    return new Set(events.map(({ detail }) => detail.eventId)).size;
  }
}

function statusReport(messageId: string, status: string, second: number, padding?: string): object {
  const data = { id: messageId, to: '+12025550143', status, occurred_at: timeOf(second), padding };
  return { type: 'sms.status', data };
}

function timeOf(second: number): string {
  return new Date(Date.UTC(2026, 0, 15, 12, 0, second)).toISOString();
}

/** Kills a process, or finds it gone. */
export function endProcess(pid: number): void {
  signalProcess(pid, 'SIGKILL');
}

/** Kills, stops or continues a process, or finds it gone. */
export function signalProcess(pid: number, signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
