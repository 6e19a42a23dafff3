import { SQSClient } from '@aws-sdk/client-sqs';
import { expect, it } from 'vitest';
import { createMoveTasks } from '../../../../cli/stores/move-tasks.ts';
import { answering, anyAccount } from '../support/aws.ts';

/** The tasks of a queue whose SQS lists this one, and what that was asked. */
function tasksThat(found?: object) {
  const asked: [string, object][] = [];
  const client = answering(new SQSClient(anyAccount), (command, input) => {
    asked.push([command, input]);
    if (command === 'GetQueueAttributesCommand')
      return { Attributes: { QueueArn: `arn of ${input.QueueUrl}` } };
    return command === 'ListMessageMoveTasksCommand' && found !== undefined ? { Results: [found] } : {};
  });
  return { asked, tasks: createMoveTasks(client, 'dead', 'source') };
}

it('starts a move that names the source, because SQS knows none of messages that a function sent', async () => {
  const { asked, tasks } = tasksThat();
  await tasks.start();
  expect(asked.at(-1)).toEqual([
    'StartMessageMoveTaskCommand',
    { SourceArn: 'arn of dead', DestinationArn: 'arn of source' },
  ]);
});

it.each([
  ['RUNNING', 'running'],
  ['CANCELLING', 'cancelling'],
  ['COMPLETED', 'completed'],
  ['CANCELLED', 'cancelled'],
  ['FAILED', 'failed'],
])('reads a move that is %s', async (Status, state) => {
  const { tasks } = tasksThat({
    Status,
    ApproximateNumberOfMessagesMoved: 2,
    ApproximateNumberOfMessagesToMove: 5,
    StartedTimestamp: 7,
    FailureReason: 'why',
  });
  expect(await tasks.latest()).toEqual({ state, moved: 2, total: 5, startedAt: 7, failure: 'why' });
});

it('finds no move, and cancels one that is running only', async () => {
  expect(await tasksThat().tasks.latest()).toBeUndefined();
  expect(await tasksThat({ Status: 'COMPLETED' }).tasks.cancel()).toBe(false);
  const { asked, tasks } = tasksThat({ Status: 'RUNNING', TaskHandle: 'handle' });
  expect(await tasks.cancel()).toBe(true);
  expect(asked.at(-1)).toEqual(['CancelMessageMoveTaskCommand', { TaskHandle: 'handle' }]);
});
