import type { Deadline } from '../runtime/basics.ts';
import {
  entryOf,
  isParked,
  judgeParkedRequests,
  type ParkedDependencies,
  type ParkedRequest,
  retryParked,
} from './parked-requests.ts';
import type { QuarantinedMessage, QueueMessage, Received } from './read-batch.ts';
import type { RecordVerified } from './record-verified.ts';

/** Decides which requests of a batch are stored. Never throws. */
export type Admit = (received: readonly Received[]) => Promise<Admission>;

/** A batch, sorted. */
interface Admission {
  /** Requests that ingest or the worker verified, and queue messages that are not an envelope. */
  readonly admitted: readonly Received[];
  /** Queue messages of requests whose signature cannot be decided yet. They must be reported as failed, or Lambda deletes them. */
  readonly parked: readonly QueueMessage[];
  /** Captured requests, and parked ones whose signature matches no secret of the service. */
  readonly quarantined: readonly QuarantinedMessage[];
  /** Schedules the next receive of parked requests, and records the time of the last verified one. Never throws. */
  finish(deadline: Deadline): Promise<void>;
}

export interface AdmitDependencies extends ParkedDependencies {
  /** Undefined if the contract's scheme verifies nothing. */
  readonly recordVerified: RecordVerified | undefined;
}

export function createAdmit(dependencies: AdmitDependencies): Admit {
  return async (received) => {
    const admitted: Received[] = [];
    const quarantined: QuarantinedMessage[] = [];
    const unverified: ParkedRequest[] = [];
    for (const { queueMessage, envelope } of received) {
      if (envelope?.captured !== undefined)
        quarantined.push({
          entry: entryOf(envelope, 'captured', envelope.captured),
          queueMessage: queueMessage.messageId,
        });
      else if (envelope !== undefined && isParked(envelope)) unverified.push({ queueMessage, envelope });
      else admitted.push({ queueMessage, envelope });
    }
    let parked: readonly QueueMessage[] = [];
    if (unverified.length > 0) {
      const judged = await judgeParkedRequests(unverified, dependencies);
      admitted.push(...judged.verified);
      quarantined.push(...judged.rejected);
      parked = judged.waiting;
    }
    return {
      ...{ admitted, parked, quarantined },
      finish: async (deadline) => {
        await Promise.all([
          parked.length > 0 && retryParked(parked, dependencies, deadline),
          dependencies.recordVerified?.(admitted),
        ]);
      },
    };
  };
}
