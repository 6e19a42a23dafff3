import { type IResource, Resource, Stack } from 'aws-cdk-lib';
import type { IEventBusRef, RuleTargetConfig } from 'aws-cdk-lib/aws-events';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct } from 'constructs';
import { isOther, otherRegionOf } from '../options/places.ts';

/** The ends of a subscription. */
interface Ends {
  readonly bus: IEventBusRef;
  readonly target: RuleTargetConfig;
  readonly deadLetterQueue: IQueue;
}

/** Returns a line for each end of a subscription to which EventBridge could not deliver, or should not. */
export function problemsWithEnds(
  scope: IConstruct,
  { bus, target, deadLetterQueue }: Ends,
): readonly string[] {
  const { targetResource } = target;
  const stack = Stack.of(scope);
  const region = otherRegionOf(deadLetterQueue, stack);
  const place =
    targetResource !== undefined && Resource.isResource(targetResource)
      ? importedFrom(targetResource)
      : undefined;
  return [
    ...(place === undefined || targetResource === undefined
      ? []
      : [
          `target: found ${targetResource.node.path} in ${place}, expected one of the account and region of the rule: send events to an event bus there with Target.eventBus(bus), and subscribe there`,
        ]),
    ...(isQueueOrTopic(targetResource) && targetResource.fifo
      ? problemsWithFifo(targetResource, target)
      : []),
    ...(target.arn === bus.eventBusRef.eventBusArn
      ? [
          'target: found the bus of the pipeline itself, expected another one: each event would go in a circle',
        ]
      : []),
    ...(targetResource !== undefined && isPartOfPipeline(targetResource, scope)
      ? [
          `target: found ${targetResource.node.path}, a part of the pipeline itself, expected a resource of your own: the part would take events for something else`,
        ]
      : []),
    ...(targetResource === deadLetterQueue
      ? ['deadLetterQueue: found the target itself, expected another queue']
      : []),
    ...(isPartOfPipeline(deadLetterQueue, scope)
      ? [
          `deadLetterQueue: found ${deadLetterQueue.node.path}, a part of the pipeline itself, expected a queue of your own, or none for one of the subscription: a function or a redrive of the pipeline would take the failed events for something else`,
        ]
      : []),
    ...(deadLetterQueue.fifo
      ? ['deadLetterQueue: found a FIFO queue, expected a standard queue, as EventBridge does']
      : []),
    // "Using dead-letter queues to process undelivered events", EventBridge user guide.
    ...(region === undefined
      ? []
      : [`deadLetterQueue: found a queue in ${region}, expected one in ${stack.region}`]),
  ];
}

/**
 * Returns whether the pipeline made a resource for a work of its own. Its topic for alarms is for people, who may want events too, and a dead-letter
 * queue of another subscription belongs to the app.
 */
function isPartOfPipeline(resource: IConstruct, subscription: IConstruct): boolean {
  const events = subscription.node.scope;
  const pipeline = events?.node.scope;
  const { scopes } = resource.node;
  return (
    !('topicArn' in resource) &&
    pipeline !== undefined &&
    scopes.includes(pipeline) &&
    !scopes.some((scope) => scope === events)
  );
}

/** Returns the place of an imported resource; undefined if it is that of its stack. For resources of the app CDK makes rules in both places. */
function importedFrom(resource: IResource): string | undefined {
  const { account, region } = Stack.of(resource);
  if (isOther(resource.env.region, region)) return resource.env.region;
  return isOther(resource.env.account, account) ? `account ${resource.env.account}` : undefined;
}

/** "Amazon EventBridge targets", EventBridge user guide. */
function problemsWithFifo(resource: IQueue | ITopic, { sqsParameters }: RuleTargetConfig): readonly string[] {
  if ('topicArn' in resource) return ['target: found a FIFO topic, expected a standard topic'];
  return sqsParameters?.messageGroupId === undefined
    ? [
        'target: found a FIFO queue without messageGroupId, expected one: new targets.SqsQueue(queue, { messageGroupId })',
      ]
    : [];
}

export function isQueueOrTopic(construct: IConstruct | undefined): construct is IQueue | ITopic {
  return construct !== undefined && ('queueArn' in construct || 'topicArn' in construct);
}
