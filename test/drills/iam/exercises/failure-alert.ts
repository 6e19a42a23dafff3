import { randomUUID } from 'node:crypto';
import { PurgeQueueCommand } from '@aws-sdk/client-sqs';
import type { Exercise } from '../exercise.ts';
import { statusChanged } from './consumed.ts';

/** Tells a person of a message that failed, once. */
export const exerciseFailureAlert: Exercise = async (stage) => {
  const { pipeline, notices, output, putEvent, invoke, eventually } = stage;
  const QueueUrl = output('FailureAlertQueueUrl');
  await pipeline.sqs.send(new PurgeQueueCommand({ QueueUrl }));
  // Notices leave out what may be a phone number.
  const errorCode = `E-${randomUUID().replaceAll(/\d/g, 'x')}`;
  await putEvent(statusChanged({ status: 'failed', outcome: 'failure', errorCode }));
  await eventually('the failure is told, and forgotten', async () => {
    await invoke(output('FailureAlertFunctionName'), {});
    if (!(await notices.has(errorCode))) return false;
    const { waiting, inFlight } = await pipeline.queueDepth(QueueUrl);
    return waiting + inFlight === 0;
  });
};
