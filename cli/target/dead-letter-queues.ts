import { sanitize } from '../text/sanitize.ts';
import { CommandFailure } from './errors.ts';
import type { StackName } from './outputs.ts';

/** A queue of what was given up on, and where its messages belong. */
export interface DeadLetterQueueName {
  /** The stack's output that has its URL: what it is called by. */
  readonly name: string;
  readonly url: string;
  /** The queue its messages came from; undefined where they came from none. */
  readonly source: { readonly name: string; readonly url: string } | undefined;
}

/** What these queues do not tell, for people. */
export const notShown =
  'Not shown: events that a rule could not deliver, in the Undelivered queue of that rule; sms replay sends them again.';

/** The stacks that have such queues. */
export const deadLetterStacks: readonly StackName[] = ['Pipeline', 'Events', 'Automations'];

/** `ForwardDeadLetterQueueUrl` is to `ForwardQueueUrl` what the pipeline's own `DeadLetterQueueUrl` is to `EventsQueueUrl`. */
const deadLetterOutput = /^(\w*)DeadLetterQueueUrl$/;
const failuresOutput = /FailuresQueueUrl$/;

/** The queues of what was given up on among a stack's outputs. */
export function deadLetterQueueNames(outputs: Readonly<Record<string, string>>): DeadLetterQueueName[] {
  return Object.entries(outputs).flatMap(([name, url]) => {
    if (failuresOutput.test(name)) return [{ name, url, source: undefined }];
    const owner = deadLetterOutput.exec(name)?.[1];
    if (owner === undefined) return [];
    const sourceName = `${owner || 'Events'}QueueUrl`;
    const sourceUrl = outputs[sourceName];
    return [
      { name, url, source: sourceUrl === undefined ? undefined : { name: sourceName, url: sourceUrl } },
    ];
  });
}

/**
 * Finds the queue that is meant: the one of this name, else the only one that has this part in its name or in that of the queue
 * it belongs to, whatever the case.
 *
 * @throws CommandFailure that names the queues where that is none or more than one
 */
export function findQueue<Q extends DeadLetterQueueName>(wanted: string, queues: readonly Q[]): Q {
  const exact = queues.find(({ name }) => name === wanted);
  if (exact !== undefined) return exact;
  const word = wanted.toLowerCase();
  const [only, ...others] = queues.filter(({ name, source }) =>
    `${name} ${source?.name ?? ''}`.toLowerCase().includes(word),
  );
  if (only !== undefined && others.length === 0) return only;
  const problem =
    only === undefined
      ? `No queue is named "${sanitize(wanted)}" or has that in its name`
      : `${others.length + 1} queues have "${sanitize(wanted)}" in their names: give more of one`;
  throw new CommandFailure(`${problem}. The queues: ${queues.map(({ name }) => name).join(', ')}.`);
}
