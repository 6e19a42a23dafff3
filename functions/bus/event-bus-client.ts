import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import pMap from 'p-map';
import type { BusEvent } from './details.ts';
import { type DetailType, eventSource } from './event-types.ts';

/** What became of an event: `failed` may be tried again, `refused` never succeeds: it is too large, or not what a bus takes. */
export type PublishOutcome =
  | { readonly kind: 'published' }
  | {
      readonly kind: 'failed' | 'refused' /** A name or code, without content. */;
      readonly error: string;
    };

/** Puts events on the bus. */
export interface EventBus {
  /**
   * Never throws. Trying again is up to the caller, who knows how much time is left: each event is asked for once, and again only
   * to find out which of a call that was refused is to blame. Events of one call may reach the bus in any order.
   *
   * @param hasTime asked before each call to the bus: what none is begun for any more is `failed`, as OutOfTime
   * @returns what became of each event, in their order
   */
  publish(events: readonly BusEvent[], hasTime?: () => boolean): Promise<readonly PublishOutcome[]>;
}

/** What one PutEvents takes: entries, and bytes of all of them and of one (EventBridge user guide, "PutEvents limits"). */
const mostEntries = 10;
const mostBytes = 256 * 1024;

/**
 * Errors that are about the event, of an entry or of a call with it (EventBridge API reference, "PutEventsResultEntry" and "Common
 * errors"). Not here are those that whoever runs this can mend, like AccessDeniedException, NotAuthorizedForSourceException
 * or ResourceNotFoundException: what they keep from the bus waits.
 */
const refusals: ReadonlySet<string> = new Set([
  'InvalidArgument',
  'MalformedDetail',
  'RedactionFailure',
  'ValidationException',
]);

/** PutEvents calls under way at once. */
const concurrentCalls = 10;

interface Entry {
  /** Place among the events that were given. */
  readonly index: number;
  readonly detailType: string;
  readonly detail: string;
  readonly bytes: number;
}

/** The bus in EventBridge: in as few calls as its limits allow. */
export function createEventBus(client: EventBridgeClient, busName: string): EventBus {
  async function put(entries: readonly Entry[], hasTime: () => boolean): Promise<PublishOutcome[]> {
    if (!hasTime()) return entries.map(() => failure('OutOfTime'));
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
      const outcome = failure(error instanceof Error ? error.name : 'unknown');
      if (outcome.kind === 'failed' || entries.length === 1) return entries.map(() => outcome);
      const half = Math.ceil(entries.length / 2);
      const first = await put(entries.slice(0, half), hasTime);
      return [...first, ...(await put(entries.slice(half), hasTime))];
    }
  }

  return {
    publish: async (events, hasTime = () => true) => {
      const entries = events.map(entryOf);
      const outcomes = entries.map((): PublishOutcome => ({ kind: 'refused', error: 'TooLarge' }));
      const calls = inCalls(entries.filter(({ bytes }) => bytes <= mostBytes));
      await pMap(
        calls,
        async (call) => {
          const answers = await put(call, hasTime);
          for (const [place, { index }] of call.entries())
            outcomes[index] = answers[place] ?? { kind: 'failed', error: 'NoAnswer' };
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

function entryOf({ detailType, detail }: BusEvent, index: number): Entry {
  const json = JSON.stringify(detail);
  return { index, detailType, detail: json, bytes: entryBytes(detailType, json) };
}

/** The size EventBridge counts (user guide, "Calculating PutEvents event entry size"); it adds 14 only where a Time is given. */
function entryBytes(detailType: string, detail: string): number {
  return Buffer.byteLength(eventSource) + Buffer.byteLength(detailType) + Buffer.byteLength(detail);
}

function inCalls(entries: readonly Entry[]): Entry[][] {
  const calls: Entry[][] = [];
  let free = 0;
  for (const entry of entries) {
    const call = calls.at(-1);
    if (call !== undefined && call.length < mostEntries && entry.bytes <= free) {
      call.push(entry);
      free -= entry.bytes;
    } else {
      calls.push([entry]);
      free = mostBytes - entry.bytes;
    }
  }
  return calls;
}

/** What the publisher gave up: ids only, from which the history tells the rest. */
export type PublishFailure =
  | {
      readonly kind: 'event-refused';
      readonly detailType: DetailType;
      readonly eventId: string;
      /** Key of the item it is about; absent where that holds a number. */
      readonly itemKey: string | undefined;
      readonly error: string;
    }
  | {
      readonly kind: 'record-unreadable';
      /** The stream's id of the record. */
      readonly recordId: string | undefined;
      /** Key of the item it is about; absent where that holds a number. */
      readonly itemKey: string | undefined;
      readonly error: string;
    };

/** Where the ids of what cannot be published wait for a person. */
export interface PublishFailures {
  /** Resolves once the queue has confirmed that it keeps them; throws in every other case. */
  keep(failure: PublishFailure): Promise<void>;
}

export function createPublishFailures(client: SQSClient, queueUrl: string): PublishFailures {
  return {
    keep: async (failure) => {
      await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify(failure) }));
    },
  };
}
