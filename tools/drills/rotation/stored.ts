import { type AttributeValue, ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { LocalPipeline } from '../../support/local-pipeline.ts';
import { controlMessageId, forgedPrefix } from './forger.ts';

type Item = Record<string, AttributeValue>;

/** The content of the tables after a drill. */
export interface Stored {
  /** `<message id> <status>` of each genuine event in history, once for each occurrence. */
  readonly genuine: ReadonlyMap<string, number>;
  readonly forged: number;
  /** How often the control event is in history. */
  readonly control: number;
  /** Names of genuine events, as above. */
  readonly quarantinedGenuine: readonly string[];
  /** By reason. */
  readonly quarantinedForged: ReadonlyMap<string, number>;
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
  let control = 0;
  for await (const item of items(outputs.HistoryTableName)) {
    const { messageId, ...attributes } = unmarshall(item);
    const events = Object.entries(attributes).filter(([name]) => name.startsWith('event#'));
    if (String(messageId).startsWith(forgedPrefix)) forged += events.length;
    else if (messageId === controlMessageId) control += events.length;
    else
      for (const [, { status }] of events) {
        const event = `${messageId} ${status}`;
        genuine.set(event, (genuine.get(event) ?? 0) + 1);
      }
  }
  const quarantinedForged = new Map<string, number>();
  const quarantinedGenuine: string[] = [];
  for await (const item of items(outputs.QuarantineTableName)) {
    const raw = Buffer.from(item.raw?.B ?? []);
    const isForged = raw.includes(forgedPrefix);
    const reason = item.reason?.S ?? 'no reason';
    if (isForged) quarantinedForged.set(reason, (quarantinedForged.get(reason) ?? 0) + 1);
    else quarantinedGenuine.push(eventName(raw));
  }
  return { genuine, forged, control, quarantinedGenuine, quarantinedForged };
}

/** Returns the name of the event in a body; without an event, the body's text. */
function eventName(raw: Buffer): string {
  const text = raw.toString();
  try {
    const { data } = JSON.parse(text);
    return `${data.id} ${data.status}`;
  } catch {
    return text;
  }
}
