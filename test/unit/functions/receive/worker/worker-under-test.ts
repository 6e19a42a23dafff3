import { createMapper } from '../../../../../contract/events/mapping.ts';
import type { Contract } from '../../../../../contract/schema/contract-schema.ts';
import { deadlineAt } from '../../../../../functions/base/basics.ts';
import { createDriftObserver } from '../../../../../functions/history/drift-store.ts';
import type { Message, Reply } from '../../../../../functions/history/message.ts';
import type { OptOutStatement } from '../../../../../functions/history/opt-out/opt-out.ts';
import { bodyOfEvent } from '../../../../../functions/receive/quarantine/body-of-event.ts';
import type { QuarantineEntry } from '../../../../../functions/receive/quarantine/quarantine.ts';
import type { QueueMessage } from '../../../../../functions/receive/worker/read-batch.ts';
import { type WorkDependencies, workBatch } from '../../../../../functions/receive/worker/work-batch.ts';
import { shippedContract } from '../../../../../tools/support/contracts.ts';
import { keywordOf } from '../../../../../tools/support/keywords.ts';
import { memoryDriftRegister } from '../../../../support/fakes/drift-register.ts';
import { memoryHistory } from '../../../../support/fakes/history.ts';
import { memoryQuarantine } from '../../../../support/fakes/quarantine.ts';
import { recorder } from '../../../../support/recorder.ts';
import { noneParked, receivedAt } from './queue-messages.ts';

/** What a test replaces of the worker; the calls of history are given one by one. */
export interface WorkerParts
  extends Partial<Omit<WorkDependencies, 'history' | 'parked'>>,
    Partial<WorkDependencies['history']> {
  readonly parked?: (recorded: Pick<WorkDependencies, 'log' | 'count'>) => WorkDependencies['parked'];
  /** Undefined for the one that is shipped. */
  readonly contract?: Contract;
  readonly note?: ReturnType<typeof memoryDriftRegister>['note'];
}

/** The worker over stores in memory. Each list has the calls in their order. */
export function workerUnderTest(parts: WorkerParts = {}) {
  const {
    parked = () => noneParked,
    contract = shippedContract,
    note,
    storeMessage,
    storeReply,
    ...replaced
  } = parts;
  const history = memoryHistory();
  const drift = memoryDriftRegister();
  const messages: Message[] = [];
  const replies: Reply[] = [];
  const optOuts: OptOutStatement[] = [];
  const quarantined: QuarantineEntry[] = [];
  const { keep } = memoryQuarantine();
  const { log, count, ...recorded } = recorder();
  const { map = createMapper(contract) } = replaced;
  const dependencies: WorkDependencies = {
    parked: parked({ log, count }),
    recordVerified: undefined,
    map,
    bodyOf: (event, request) => bodyOfEvent(event, contract, map, request),
    source: 'main',
    history: {
      storeMessage: async (message) => {
        const outcome = await (storeMessage ?? history.storeMessage)(message);
        messages.push(message);
        return outcome;
      },
      storeReply: async (reply, copyIds) => {
        const outcome = await (storeReply ?? history.storeReply)(reply, copyIds);
        replies.push(reply);
        return outcome;
      },
    },
    optOuts: {
      record: async (...statements) => {
        await history.register.record(...statements);
        optOuts.push(...statements);
      },
    },
    keywordOf,
    quarantine: {
      keep: async (entry) => {
        await keep(entry);
        quarantined.push(entry);
      },
    },
    observeDrift: createDriftObserver(
      { ...drift, ...(note !== undefined && { note }) },
      () => Date.parse(receivedAt),
      log,
      count,
    ),
    clock: () => Date.parse('2026-01-15T12:00:07.000Z'),
    log,
    count,
    ...replaced,
  };
  const work = async (queueMessages: readonly QueueMessage[], deadline = deadlineAt(1, () => 0)) =>
    [...(await workBatch(queueMessages, dependencies, deadline))].sort();
  const driftWords = async () => {
    const [day] = await drift.read([receivedAt.slice(0, 10)]);
    return [...(day?.mismatches.values() ?? [])];
  };
  return { messages, replies, optOuts, quarantined, driftWords, work, history, ...recorded };
}

/** A delivery report as the shipped contract's service sends it. */
export function status(id: string, word = 'sent', second = 5) {
  const occurred_at = `2026-01-15T12:00:0${second}.000Z`;
  return { type: 'sms.status', data: { id, status: word, to: '+12025550143', occurred_at } };
}

export const failing = async (): Promise<never> => {
  throw Object.assign(new Error('+12025550143 hello there'), {
    name: 'ProvisionedThroughputExceededException',
  });
};
