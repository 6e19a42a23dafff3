import { Names } from 'aws-cdk-lib';
import type { Function as CdkFunction, EventSourceMappingOptions } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';

/** What Lambda calls for an event source mapping, under the function's role. */
const calls = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

/** Lets a function read a queue. Not through SqsEventSource: its grants add calls that not every function makes, or nobody. */
export function addQueueSource(
  reader: CdkFunction,
  queue: IQueue,
  options: Omit<EventSourceMappingOptions, 'eventSourceArn'>,
): void {
  queue.grant(reader, ...calls);
  // The id SqsEventSource gives: under another the mapping would be replaced, and Lambda refuses a second one for a queue.
  const id = `SqsEventSource:${Names.nodeUniqueId(queue.node)}`;
  reader.addEventSourceMapping(id, { ...options, eventSourceArn: queue.queueArn });
}
