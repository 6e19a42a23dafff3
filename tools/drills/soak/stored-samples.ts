import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { LocalPipeline } from '../../support/local-pipeline.ts';
import type { Report } from '../volume/reports.ts';

/** One message of so many is looked at. */
export const sampledOneOf = 50;
/** How often it is looked whether a sampled report is stored: what the figures are good to. */
export const resolutionMs = 50;

/** How long sampled reports take from post to stored, as a reader of the table sees it. */
export interface StoredSamples {
  readonly milliseconds: readonly number[];
  add(report: Report, postedAt: number): void;
  stop(): void;
}

export function watchStored({ dynamoDb, outputs }: LocalPipeline): StoredSamples {
  const waiting = new Map<string, { readonly messageId: string; readonly postedAt: number }>();
  const milliseconds: number[] = [];
  const look = async (eventId: string, messageId: string, postedAt: number) => {
    const { Item } = await dynamoDb.send(
      new GetItemCommand({
        TableName: outputs.HistoryTableName,
        Key: { pk: { S: `message#${messageId}` } },
        ProjectionExpression: '#event',
        ExpressionAttributeNames: { '#event': `event#${eventId}` },
      }),
    );
    if (Item?.[`event#${eventId}`] === undefined || !waiting.delete(eventId)) return;
    milliseconds.push(Date.now() - postedAt);
  };
  let isLooking = false;
  const timer = setInterval(async () => {
    if (isLooking) return;
    isLooking = true;
    const looks = [...waiting].map(([id, { messageId, postedAt }]) => look(id, messageId, postedAt));
    // A look that fails is made again with the next ones.
    await Promise.allSettled(looks);
    isLooking = false;
  }, resolutionMs);
  return {
    milliseconds,
    add: ({ messageId, eventId }, postedAt) => {
      if (Number(messageId.split('-').at(-1)) % sampledOneOf === 0)
        waiting.set(eventId, { messageId, postedAt });
    },
    stop: () => clearInterval(timer),
  };
}
