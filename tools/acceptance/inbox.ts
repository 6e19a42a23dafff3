import { setTimeout as delay } from 'node:timers/promises';
import { DeleteMessageBatchCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { Published } from '../engine/published.ts';

const eventSchema = z.looseObject({
  'detail-type': z.string(),
  source: z.string(),
  'replay-name': z.string().optional(),
  detail: z.looseObject({ version: z.number(), eventId: z.string() }),
});

const alarmSchema = z.looseObject({ AlarmName: z.string(), NewStateValue: z.string() });

/** SQS's maxima: messages of a receive, and seconds that it waits for one. */
const batch = { MaxNumberOfMessages: 10, WaitTimeSeconds: 5 };

/** Reads what the pipeline publishes, from the queue of a subscription and from those of notices and alarms, until it is closed. */
export class Inbox implements AsyncDisposable {
  readonly published = new Published();
  /** Ids of published events, and of those that came again from the archive. */
  readonly eventIds = new Set<string>();
  readonly replayedIds = new Set<string>();
  readonly notices: string[] = [];
  /** Names of alarms that went off. */
  readonly alarms: string[] = [];
  /** Why reading ended, if that was not on purpose. */
  failure: unknown;
  readonly #closing = new AbortController();
  readonly #reading: Promise<unknown>;

  constructor(
    sqs: SQSClient,
    queues: { readonly received: string; readonly notices: string; readonly alarms: string },
  ) {
    const read = (url: string, take: (body: string) => void) => this.#readAll(sqs, url, take);
    this.#reading = Promise.all([
      read(queues.received, (body) => this.#take(body)),
      read(queues.notices, (body) => this.notices.push(body)),
      read(queues.alarms, (body) => this.#takeAlarm(body)),
    ]).catch((error: unknown) => {
      if (!this.#closing.signal.aborted) this.failure = error;
    });
  }

  async #readAll(sqs: SQSClient, QueueUrl: string, take: (body: string) => void): Promise<void> {
    const abortSignal = this.#closing.signal;
    while (!abortSignal.aborted) {
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, ...batch }), {
        abortSignal,
      });
      for (const { Body = '' } of Messages) take(Body);
      const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
      if (Entries.length > 0) await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
      await delay(0);
    }
  }

  #take(body: string): void {
    const event = eventSchema.parse(JSON.parse(body));
    if (event['replay-name'] !== undefined) this.replayedIds.add(event.detail.eventId);
    else {
      this.eventIds.add(event.detail.eventId);
      this.published.record(event, Date.now());
    }
  }

  #takeAlarm(body: string): void {
    const { AlarmName, NewStateValue } = alarmSchema.parse(JSON.parse(body));
    if (NewStateValue === 'ALARM') this.alarms.push(AlarmName);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#reading;
  }
}

/** Sums the failed messages that notices speak of: each begins with their number. */
export function failuresIn(notices: readonly string[]): number {
  return notices.reduce((sum, text) => sum + Number(/^(\d+) messages? failed/.exec(text)?.[1] ?? 0), 0);
}
