import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import pMap from 'p-map';
import { type DetailType, eventSource } from '../../../events/event-types.ts';
import { type Deadline, errorName } from '../../base/basics.ts';
import type { BusEvent } from './details.ts';

/** Names the outcome for one event. A `failed` event may be retried. A `refused` event never succeeds: it is too large or malformed. */
export type PublishOutcome =
  | { readonly kind: 'published' }
  /** The error is a name or code, without content. */
  | { readonly kind: 'failed' | 'refused'; readonly error: string };

/** Puts events on the bus. */
export interface EventBus {
  /**
   * Never throws and never retries. A call that was refused is split, to find the event at fault. Events of one call may reach the bus in
   * any order.
   *
   * @param deadline after which no call begins; the events that are left are `failed` with OutOfTime
   * @returns one outcome for each event, in their order
   */
  publish(
    events: readonly BusEvent[],
    deadline?: Pick<Deadline, 'isOver'>,
  ): Promise<readonly PublishOutcome[]>;
}

/** Limits of one PutEvents call: its entries, and the bytes of all of them and of one (EventBridge user guide, "PutEvents limits"). */
const maxEntries = 10;
const maxBytes = 256 * 1024;

/**
 * Errors that an event causes, as the error of an entry or of a call (EventBridge API reference, "PutEventsResultEntry" and "Common
 * errors"). An operator can fix other errors, such as AccessDeniedException, NotAuthorizedForSourceException or
 * ResourceNotFoundException. Until then the events are retried.
 */
const refusals: ReadonlySet<string> = new Set([
  'InvalidArgument',
  'MalformedDetail',
  'RedactionFailure',
  'ValidationException',
]);

/** PutEvents calls that run at once. */
const concurrentCalls = 10;

interface Entry {
  /** Index of the event. */
  readonly index: number;
  readonly detailType: string;
  readonly detail: string;
  readonly bytes: number;
}

/** A bus, and the pipeline that publishes on it. Several pipelines may share a bus, so each event names its own. */
export interface Publication {
  readonly busName: string;
  readonly pipeline: string;
}

/** Publishes to a bus of EventBridge, in as few calls as its limits allow. */
export function createEventBus(client: EventBridgeClient, { busName, pipeline }: Publication): EventBus {
  async function put(
    entries: readonly Entry[],
    deadline: Pick<Deadline, 'isOver'>,
  ): Promise<PublishOutcome[]> {
    if (deadline.isOver()) return entries.map(() => failure('OutOfTime'));
    try {
      const { Entries = [] } = await client.send(
        new PutEventsCommand({
          Entries: entries.map(({ detailType, detail }) => ({
            EventBusName: busName,
            Source: eventSource,
            DetailType: detailType,
            Detail: detail,
          })),
        }),
      );
      return entries.map((_, index) => {
        const { EventId, ErrorCode = 'NoAnswer' } = Entries[index] ?? {};
        return EventId === undefined ? failure(ErrorCode) : { kind: 'published' };
      });
    } catch (error) {
      const outcome = failure(errorName(error));
      if (outcome.kind === 'failed' || entries.length === 1) return entries.map(() => outcome);
      const half = Math.ceil(entries.length / 2);
      const first = await put(entries.slice(0, half), deadline);
      return [...first, ...(await put(entries.slice(half), deadline))];
    }
  }

  return {
    publish: async (events, deadline = { isOver: () => false }) => {
      const entries = events.map((event, index) => entryOf(event, index, pipeline));
      const outcomes = entries.map((): PublishOutcome => ({ kind: 'refused', error: 'TooLarge' }));
      const calls = inCalls(entries.filter(({ bytes }) => bytes <= maxBytes));
      await pMap(
        calls,
        async (call) => {
          const answers = await put(call, deadline);
          for (const [position, { index }] of call.entries())
            outcomes[index] = answers[position] ?? { kind: 'failed', error: 'NoAnswer' };
        },
        { concurrency: concurrentCalls },
      );
      return outcomes;
    },
  };
}

function failure(error: string): PublishOutcome {
  return { kind: refusals.has(error) ? 'refused' : 'failed', error };
}

/**
 * Returns JSON without U+FFFE and U+FFFF: SQS refuses them ("SendMessage", API reference), so that a rule could neither deliver such an event to a
 * queue nor keep it in its dead-letter queue. The history has the text as it was received.
 */
function jsonForQueues(value: unknown): string {
  return JSON.stringify(value).replace(/[\ufffe\uffff]/g, '\ufffd');
}

function entryOf({ detailType, detail }: BusEvent, index: number, pipeline: string): Entry {
  const json = jsonForQueues({ pipeline, ...detail });
  return { index, detailType, detail: json, bytes: entryBytes(detailType, json) };
}

/** Returns the size that EventBridge counts (user guide, "Calculating PutEvents event entry size"). An entry with a Time has 14 more. */
function entryBytes(detailType: string, detail: string): number {
  return Buffer.byteLength(eventSource) + Buffer.byteLength(detailType) + Buffer.byteLength(detail);
}

function inCalls(entries: readonly Entry[]): Entry[][] {
  const calls: Entry[][] = [];
  let free = 0;
  for (const entry of entries) {
    const call = calls.at(-1);
    if (call !== undefined && call.length < maxEntries && entry.bytes <= free) {
      call.push(entry);
      free -= entry.bytes;
    } else {
      calls.push([entry]);
      free = maxBytes - entry.bytes;
    }
  }
  return calls;
}

/** The ids of a change that cannot be published. The history has its content. */
export type PublishFailure =
  | {
      readonly kind: 'event-refused';
      readonly detailType: DetailType;
      readonly eventId: string;
      /** Key of the item; undefined if it holds a phone number. */
      readonly itemKey: string | undefined;
      readonly error: string;
    }
  | {
      readonly kind: 'record-unreadable';
      /** The stream's id of the record. */
      readonly recordId: string | undefined;
      /** Key of the item; undefined if it holds a phone number. */
      readonly itemKey: string | undefined;
      readonly error: string;
    };

/** The queue of the changes that cannot be published, for an operator. */
export interface PublishFailures {
  /** Resolves once the queue has confirmed the message, and throws otherwise. */
  keep(failure: PublishFailure): Promise<void>;
}

export function createPublishFailures(client: SQSClient, queueUrl: string): PublishFailures {
  return {
    keep: async (failure) => {
      await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: jsonForQueues(failure) }));
    },
  };
}
