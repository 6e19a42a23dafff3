import { createHash, randomUUID } from 'node:crypto';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { BusEvent } from '../../../../functions/core/bus/bus-event.ts';
import { detailTypes } from '../../../../functions/core/bus/detail-types.ts';
import type { Details } from '../../../../functions/core/bus/details.ts';
import type { Stage } from '../exercise.ts';
import { inboxOf } from '../inbox.ts';

/** An id as the details of events have one. */
export const freshEventId = (): string => createHash('md5').update(randomUUID()).digest('hex');

type Reply = Details[typeof detailTypes.replyReceived];

/** That a number replied. */
export function replyReceived(from: string, about: Partial<Reply> = {}): BusEvent {
  const at = new Date().toISOString();
  return {
    detailType: detailTypes.replyReceived,
    detail: {
      version: 1,
      eventId: freshEventId(),
      historyEventId: randomUUID(),
      replyId: randomUUID(),
      from,
      text: 'Thank you',
      isTextCut: false,
      mayMeanStop: false,
      occurredAt: at,
      receivedAt: at,
      ...about,
    },
  };
}

/** That a message came to a status. */
export function statusChanged(
  about: Pick<Details[typeof detailTypes.statusChanged], 'status' | 'outcome' | 'errorCode'>,
): BusEvent & { readonly detail: { readonly eventId: string } } {
  const at = new Date().toISOString();
  return {
    detailType: detailTypes.statusChanged,
    detail: {
      version: 1,
      eventId: freshEventId(),
      historyEventId: randomUUID(),
      messageId: randomUUID(),
      final: about.outcome !== 'open',
      occurredAt: at,
      receivedAt: at,
      conflict: false,
      ...about,
    },
  };
}

/**
 * Has an automation give up what is no event.
 * @param name as the outputs have it: `<name>QueueUrl` and `<name>DeadLetterQueueUrl`
 */
export async function giveUpNonsense(name: string, { pipeline, output, eventually }: Stage): Promise<void> {
  const nonsense = `no event ${randomUUID()}`;
  await pipeline.sqs.send(
    new SendMessageCommand({ QueueUrl: output(`${name}QueueUrl`), MessageBody: nonsense }),
  );
  const givenUp = inboxOf(pipeline.sqs, output(`${name}DeadLetterQueueUrl`));
  await eventually(`${name} gives it up`, () => givenUp.has(nonsense));
}

/** How often an automation has put an event off; the answer says whether it has once more since. */
export function watchPutOff(label: string, { pipeline }: Stage): () => boolean {
  const times = () => pipeline.functionLog(label).split('AUTOMATION-01').length;
  const before = times();
  return () => times() > before;
}
