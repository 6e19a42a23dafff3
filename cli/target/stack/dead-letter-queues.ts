import { sanitize } from '../../text/sanitize.ts';
import { CommandFailure } from '../errors.ts';

/** A dead-letter queue and its source queue. */
export interface DeadLetterQueueName {
  /** The stack output that holds its URL. */
  readonly name: string;
  readonly url: string;
  /** The queue that its messages came from; undefined for messages that came from no queue. */
  readonly source: { readonly name: string; readonly url: string } | undefined;
}

/** A hint about the queues that the commands do not show. */
export const notShown =
  'Not shown: events that a rule could not deliver, in the Undelivered queue of that rule; sms events replay sends them again.';

/**
 * Matches `ForwardDeadLetterQueueUrl`, whose source is `ForwardQueueUrl`, `DeadLetterQueueUrl`, whose source is `EventsQueueUrl`, and
 * `SourceBackupDeadLetterQueueUrl`, whose source is `SourceBackupEventsQueueUrl`.
 */
const deadLetterOutput = /^(\w*)DeadLetterQueueUrl$/;
const failuresOutput = /FailuresQueueUrl$/;

/** Returns the dead-letter queues among a pipeline's outputs. */
export function deadLetterQueueNames(outputs: Readonly<Record<string, string>>): DeadLetterQueueName[] {
  return Object.entries(outputs).flatMap(([name, url]) => {
    if (failuresOutput.test(name)) return [{ name, url, source: undefined }];
    const owner = deadLetterOutput.exec(name)?.[1];
    if (owner === undefined) return [];
    const sourceName = [`${owner}QueueUrl`, `${owner}EventsQueueUrl`].find((one) => one in outputs) ?? '';
    const sourceUrl = outputs[sourceName];
    return [
      { name, url, source: sourceUrl === undefined ? undefined : { name: sourceName, url: sourceUrl } },
    ];
  });
}

/**
 * Finds a queue by its name, or by a part that only its name or its source's name contains; the case does not matter.
 *
 * @throws CommandFailure that lists the queues
 */
export function findQueue<Q extends DeadLetterQueueName>(query: string, queues: readonly Q[]): Q {
  const exact = queues.find(({ name }) => name === query);
  if (exact !== undefined) return exact;
  const [only, ...others] = queues.filter(({ name, source }) =>
    `${name} ${source?.name ?? ''}`.toLowerCase().includes(query.toLowerCase()),
  );
  if (only !== undefined && others.length === 0) return only;
  const problem =
    only === undefined
      ? `No queue's name contains "${sanitize(query)}"`
      : `The names of ${others.length + 1} queues contain "${sanitize(query)}": use a longer part`;
  throw new CommandFailure(`${problem}. The queues: ${queues.map(({ name }) => name).join(', ')}.`);
}
