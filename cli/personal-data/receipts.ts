import {
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type Update,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { omitUndefined } from '../../functions/base/basics.ts';
import { erasurePrefix, erasuresList, type Item } from '../../functions/history/index.ts';
import { isMark, type PersonMark } from './erased-persons.ts';
import { type ErasureReceipt, noRecords, type RecordCounts, type RecordKind, recordKinds } from './record.ts';

/** The receipts of erasures in the history table: `pk = erasure#<id>`, in the list `erasures`. They are evidence and do not expire. */
export interface ReceiptTable {
  /** Writes a new receipt before the first deletion. @param person recognises the person in another copy of the history */
  begin(
    receipt: Pick<ErasureReceipt, 'id' | 'startedAt' | 'toolVersion' | 'keepOptOut'>,
    person: PersonMark,
  ): Promise<void>;
  read(id: string): Promise<ErasureReceipt | undefined>;
  /** Returns what the receipt remembers of its person; undefined for a receipt that has nothing of it. */
  readPerson(id: string): Promise<PersonMark | undefined>;
  /** Makes an update that adds to the counts of a running erasure, for the transaction that deletes. */
  addition(id: string, deleted: RecordCounts): Update;
  /** Marks an erasure as done. @param finishedAt ISO 8601; ignored for an erasure that is already done */
  finish(id: string, finishedAt: string): Promise<ErasureReceipt>;
}

const attributes: Readonly<Record<RecordKind, string>> = {
  message: 'messages',
  reply: 'replies',
  'opt-out': 'optOuts',
  quarantined: 'quarantined',
};

export function createReceiptTable(client: DynamoDBClient, tableName: string): ReceiptTable {
  const keyOf = (id: string) => ({ pk: { S: erasurePrefix + id } });
  const readItem = async (id: string): Promise<Item | undefined> => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: tableName, Key: keyOf(id), ConsistentRead: true }),
    );
    return Item;
  };

  return {
    async begin({ id, startedAt, toolVersion, keepOptOut }, person) {
      const fields = marshall({
        state: 'running',
        startedAt,
        toolVersion,
        keepOptOut,
        person,
        listName: erasuresList,
        listedAt: startedAt,
        ...stored(noRecords),
      });
      await client.send(new PutItemCommand({ TableName: tableName, Item: { ...keyOf(id), ...fields } }));
    },

    async read(id) {
      const item = await readItem(id);
      return item === undefined ? undefined : receiptFromItem(id, item);
    },

    async readPerson(id) {
      const { person } = unmarshall((await readItem(id)) ?? {});
      return isMark(person) ? person : undefined;
    },

    addition: (id, deleted) => ({
      TableName: tableName,
      Key: keyOf(id),
      UpdateExpression: `ADD ${recordKinds.map((kind) => `#${attributes[kind]} :${attributes[kind]}`).join(', ')}`,
      ConditionExpression: '#state = :running',
      ExpressionAttributeNames: {
        '#state': 'state',
        ...Object.fromEntries(recordKinds.map((kind) => [`#${attributes[kind]}`, attributes[kind]])),
      },
      ExpressionAttributeValues: marshall({
        ':running': 'running',
        ...Object.fromEntries(recordKinds.map((kind) => [`:${attributes[kind]}`, deleted[kind]])),
      }),
    }),

    async finish(id, finishedAt) {
      const { Attributes = {} } = await client.send(
        new UpdateItemCommand({
          TableName: tableName,
          Key: keyOf(id),
          UpdateExpression: 'SET #state = :done, #finishedAt = if_not_exists(#finishedAt, :finishedAt)',
          ConditionExpression: 'attribute_exists(#state)',
          ExpressionAttributeNames: { '#state': 'state', '#finishedAt': 'finishedAt' },
          ExpressionAttributeValues: marshall({ ':done': 'done', ':finishedAt': finishedAt }),
          ReturnValues: 'ALL_NEW',
        }),
      );
      return receiptFromItem(id, Attributes);
    },
  };
}

/** The item of a receipt. Only this file writes such items. */
interface StoredReceipt extends Pick<ErasureReceipt, 'state' | 'startedAt' | 'finishedAt' | 'toolVersion'> {
  readonly messages: number;
  readonly replies: number;
  readonly optOuts: number;
  readonly quarantined: number;
  readonly keepOptOut: boolean;
  readonly person: PersonMark;
  readonly listName: string;
  readonly listedAt: string;
}

function receiptFromItem(id: string, item: Item): ErasureReceipt {
  const { state, startedAt, finishedAt, toolVersion, keepOptOut, ...counts } = unmarshall(
    item,
  ) as StoredReceipt;
  return {
    id,
    state,
    startedAt,
    ...omitUndefined({ finishedAt }),
    counts: {
      message: counts.messages,
      reply: counts.replies,
      'opt-out': counts.optOuts,
      quarantined: counts.quarantined,
    },
    toolVersion,
    keepOptOut,
  };
}

function stored(counts: RecordCounts): Record<string, number> {
  return Object.fromEntries(recordKinds.map((kind) => [attributes[kind], counts[kind]]));
}
