import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { IngestLog } from '../runtime/log-catalogue.ts';
import { type Envelope, encodeEnvelope } from '../webhook/envelope.ts';
import { encodeSignal, type MismatchSignal, type MismatchWatch } from '../webhook/mismatch-signal.ts';

/** Where requests wait for the worker. */
export interface EventQueue {
  /** Resolves once the queue has confirmed that it keeps the request; throws in every other case. */
  send(envelope: Envelope): Promise<void>;
}

export function createEventQueue(client: SQSClient, queueUrl: string): EventQueue {
  return {
    send: async (envelope) => {
      await client.send(
        new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: encodeEnvelope(envelope) }),
      );
    },
  };
}

/** Where setup hears of signatures that fit no secret. */
export interface SignalQueue {
  /** Resolves once the queue has confirmed the signal; throws in every other case. */
  send(signal: MismatchSignal): Promise<void>;
}

export function createSignalQueue(client: SQSClient, queueUrl: string): SignalQueue {
  return {
    send: async (signal) => {
      await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: encodeSignal(signal) }));
    },
  };
}

/** Told of each request; tells setup of mismatches when there is something to tell. */
export interface MismatchReporter {
  verified(): void;
  /** Never throws: what the request is answered does not depend on it. To be awaited, since Lambda freezes the rest. */
  mismatched(isRotating: boolean): Promise<void>;
  /** The same of a request that was captured. @param isMismatch whether its signature fitted no secret */
  captured(isMismatch: boolean): Promise<void>;
}

export function createMismatchReporter(
  watch: MismatchWatch,
  signals: SignalQueue,
  log: IngestLog,
): MismatchReporter {
  async function send(signal: MismatchSignal | undefined): Promise<void> {
    if (signal === undefined) return;
    try {
      await signals.send(signal);
    } catch (error) {
      log('SIGNAL_NOT_SENT', {
        error: error instanceof Error ? error.name : 'unknown',
        mismatches: signal.mismatches,
      });
    }
  }

  return {
    verified: watch.verified,
    mismatched: (isRotating) => send(watch.mismatched(isRotating)),
    captured: (isMismatch) => send(watch.captured(isMismatch)),
  };
}
