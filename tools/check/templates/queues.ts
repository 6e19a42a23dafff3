import { type Found, referredTo, resourcesOf } from './resources.ts';
import { numberAt, type Stack, valuesAt } from './stack.ts';

/** Lambda Developer Guide, "Configuring an Amazon SQS queue to use with Lambda": 6 x the timeout and the window; 5 receives or more. */
const timeoutsHidden = 6;
const minReceives = 5;

/** SQS's own where a template says nothing ("CreateQueue"), in seconds. */
const defaultVisibilitySeconds = 30;
const defaultRetentionSeconds = 4 * 24 * 3600;

const retentionOf = ({ properties }: Found) =>
  numberAt(properties, 'MessageRetentionPeriod') ?? defaultRetentionSeconds;
const visibilityOf = ({ properties }: Found) =>
  numberAt(properties, 'VisibilityTimeout') ?? defaultVisibilitySeconds;

/** Queues, their dead letter queues and their event source mappings whose settings do not fit each other. */
export function queueProblems(stacks: readonly Stack[]): string[] {
  const queues = resourcesOf(stacks, 'AWS::SQS::Queue');
  const functions = resourcesOf(stacks, 'AWS::Lambda::Function');
  return [
    ...queues.flatMap((queue) => deadLetterProblems(queue, queues)),
    ...resourcesOf(stacks, 'AWS::Lambda::EventSourceMapping').flatMap((mapping) => {
      const { EventSourceArn, FunctionName } = mapping.resource.Properties;
      const queue = referredTo(EventSourceArn, queues, mapping.stack);
      const target = referredTo(FunctionName, functions, mapping.stack);
      if (target === undefined) return [`${mapping.label}: its function is not in the stack`];
      return [
        ...batchProblems(mapping),
        ...(queue === undefined ? [] : mappedQueueProblems(mapping, queue, target)),
      ];
    }),
  ];
}

/** SQS Developer Guide, "Using dead-letter queues": a message keeps its age when it is moved. */
function deadLetterProblems(queue: Found, queues: readonly Found[]): string[] {
  const [arn] = valuesAt(queue.resource.Properties, 'RedrivePolicy.deadLetterTargetArn');
  if (arn === undefined) return [];
  const letters = referredTo(arn, queues, queue.stack);
  if (letters === undefined) return [`${queue.label}: its dead letter queue is not in the stack`];
  return retentionOf(letters) < retentionOf(queue)
    ? [`${queue.label}: kept for longer than in its dead letter queue ${letters.id}`]
    : [];
}

/** "CreateEventSourceMapping", BatchSize; "Lambda event filtering" has how many filters there may be, and how long. */
function batchProblems({ label, properties }: Found): string[] {
  const filters = valuesAt(properties, 'FilterCriteria.Filters.*.Pattern');
  return [
    ...((numberAt(properties, 'BatchSize') ?? 10) > 10 &&
    (numberAt(properties, 'MaximumBatchingWindowInSeconds') ?? 0) < 1
      ? [`${label}: more than 10 in a batch, without a window`]
      : []),
    ...(filters.length > 5 ? [`${label}: ${filters.length} filters, at most 5`] : []),
    ...filters
      .filter((filter) => String(filter).length > 4096)
      .map(() => `${label}: a filter of more than 4096 characters`),
  ];
}

function mappedQueueProblems(mapping: Found, queue: Found, target: Found): string[] {
  const window = numberAt(mapping.properties, 'MaximumBatchingWindowInSeconds') ?? 0;
  const needed = timeoutsHidden * (numberAt(target.properties, 'Timeout') ?? 3) + window;
  const receives = numberAt(queue.properties, 'RedrivePolicy.maxReceiveCount');
  return [
    ...(visibilityOf(queue) < needed
      ? [`${queue.label}: invisible for ${visibilityOf(queue)} s, needs ${needed} s`]
      : []),
    // Without a dead letter queue only what is forgotten before it is received a second time.
    ...(receives === undefined && visibilityOf(queue) < retentionOf(queue)
      ? [`${queue.label}: has no dead letter queue and is tried more than once`]
      : []),
    ...(receives !== undefined && receives < minReceives
      ? [`${queue.label}: ${receives} receives, at least ${minReceives}`]
      : []),
  ];
}
