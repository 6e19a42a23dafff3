import { type AttributeValue, ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { LocalPipeline } from '../support/local-pipeline.ts';
import { forgedPrefix } from './forger.ts';

type Item = Record<string, AttributeValue>;

/** What is in the tables after a drill. */
export interface Stored {
  /** `<message id> <status>` of each genuine event in history, as often as it is there. */
  readonly genuine: ReadonlyMap<string, number>;
  readonly forged: number;
  readonly quarantinedGenuine: number;
  readonly quarantinedForged: number;
}

export async function readStored({ dynamoDb, outputs }: LocalPipeline): Promise<Stored> {
  async function* items(table: string | undefined): AsyncGenerator<Item> {
    let from: Item | undefined;
    do {
      const page = await dynamoDb.send(
        new ScanCommand({ TableName: table, ...(from !== undefined && { ExclusiveStartKey: from }) }),
      );
      yield* page.Items ?? [];
      from = page.LastEvaluatedKey;
    } while (from !== undefined);
  }

  const genuine = new Map<string, number>();
  let forged = 0;
  for await (const item of items(outputs.HistoryTableName)) {
    const { messageId, ...attributes } = unmarshall(item);
    const events = Object.entries(attributes).filter(([name]) => name.startsWith('event#'));
    if (String(messageId).startsWith(forgedPrefix)) forged += events.length;
    else
      for (const [, { status }] of events) {
        const event = `${messageId} ${status}`;
        genuine.set(event, (genuine.get(event) ?? 0) + 1);
      }
  }
  let quarantinedForged = 0;
  let quarantinedGenuine = 0;
  for await (const item of items(outputs.QuarantineTableName)) {
    const isForged = Buffer.from(item.raw?.B ?? []).includes(forgedPrefix);
    if (isForged) quarantinedForged += 1;
    else quarantinedGenuine += 1;
  }
  return { genuine, forged, quarantinedGenuine, quarantinedForged };
}
