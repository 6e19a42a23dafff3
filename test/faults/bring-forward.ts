import { ChangeMessageVisibilityCommand } from '@aws-sdk/client-sqs';
import { z } from 'zod';
import type { LocalPipeline } from '../support/local-pipeline.ts';

const queuesSchema = z.array(z.object({ name: z.string() }));

const queueSchema = z.object({
  messages: z.object({
    inflight: z.array(z.object({ receiptHandle: z.string(), visibilityDeadline: z.number() })),
  }),
});

/**
 * Has the messages come now that are hidden until after a time: an automation that failed for minutes tries again only an hour later.
 *
 * @param time milliseconds since the epoch
 */
export async function bringForward({ port, sqs }: LocalPipeline, time: number): Promise<void> {
  const inspect = async (path: string): Promise<unknown> =>
    (await fetch(`http://127.0.0.1:${port + 3}/_fauxqs/queues${path}`)).json();
  for (const { name } of queuesSchema.parse(await inspect(''))) {
    const { messages } = queueSchema.parse(await inspect(`/${name}`));
    const QueueUrl = `http://127.0.0.1:${port + 3}/000000000000/${name}`;
    for (const { receiptHandle, visibilityDeadline } of messages.inflight)
      if (visibilityDeadline > time)
        await sqs.send(
          new ChangeMessageVisibilityCommand({
            QueueUrl,
            ReceiptHandle: receiptHandle,
            VisibilityTimeout: 0,
          }),
        );
  }
}
