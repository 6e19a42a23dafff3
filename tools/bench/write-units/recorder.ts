import {
  ConditionalCheckFailedException,
  DescribeTableCommand,
  type DynamoDBClient,
  type UpdateItemCommandInput,
  type UpdateItemCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { type Bill, billFailedCondition, billWrite, type Index, type Item, sizeOf } from './rules.ts';

/** Write units of many writes, by the table's and the indexes' names. */
type Units = ReadonlyMap<string, number>;

export interface Recording {
  /** As the database says; it says nothing of writes whose condition failed. */
  readonly reported: Units;
  /** By the documented rules, without the failed ones. */
  readonly computed: Units;
  readonly writes: number;
  readonly failedWrites: number;
  /** By the documented rules. */
  readonly failedUnits: number;
  /** Bytes of the items as they were after each write, by the number of events they then had. */
  readonly sizes: ReadonlyMap<number, readonly number[]>;
}

export const tableRow = 'table';

/** The indexes of a table, whose projection must be of keys only. */
export async function indexesOf(client: DynamoDBClient, tableName: string): Promise<Index[]> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
  const names = (schema: readonly { AttributeName?: string | undefined }[] = []) =>
    schema.flatMap(({ AttributeName }) => AttributeName ?? []);
  return (Table?.GlobalSecondaryIndexes ?? []).map(({ IndexName = '', KeySchema, Projection }) => {
    if (Projection?.ProjectionType !== 'KEYS_ONLY') throw new Error(`${IndexName} holds more than keys`);
    return { name: IndexName, keys: [...names(KeySchema), ...names(Table?.KeySchema)] };
  });
}

/**
 * Records the consumption and the result of every update of the client from now on; no other client may write meanwhile.
 *
 * @returns what was recorded since the last call
 */
export function recordWrites(client: DynamoDBClient, indexes: readonly Index[]): () => Recording {
  const items = new Map<string, Item>();
  let recording = emptyRecording();

  function add(to: Map<string, number>, { table, indexes: byIndex }: Bill): void {
    for (const [name, units] of [[tableRow, table] as const, ...Object.entries(byIndex)])
      to.set(name, (to.get(name) ?? 0) + units);
  }

  function written(pk: string, output: object): void {
    if (!isUpdateOutput(output)) throw new Error('an update without an answer');
    const { Attributes: after = {}, ConsumedCapacity } = output;
    add(recording.computed, billWrite(items.get(pk), after, indexes));
    const { Table, GlobalSecondaryIndexes = {} } = ConsumedCapacity ?? {};
    add(recording.reported, {
      table: Table?.CapacityUnits ?? 0,
      indexes: Object.fromEntries(
        Object.entries(GlobalSecondaryIndexes).map(([name, { CapacityUnits = 0 }]) => [name, CapacityUnits]),
      ),
    });
    items.set(pk, after);
    recording.writes += 1;
    const events = Number(after.eventCount?.N);
    const sizes = recording.sizes.get(events) ?? [];
    recording.sizes.set(events, sizes);
    sizes.push(sizeOf(after));
  }

  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (!isWrite(commandName)) return next(args);
        const { input } = args;
        if (!isUpdateInput(input)) throw new Error(`${commandName} is not counted`);
        const pk = input.Key?.pk?.S ?? '';
        Object.assign(input, { ReturnConsumedCapacity: 'INDEXES', ReturnValues: 'ALL_NEW' });
        try {
          const result = await next(args);
          written(pk, result.output);
          return result;
        } catch (error) {
          if (error instanceof ConditionalCheckFailedException) {
            recording.failedWrites += 1;
            recording.failedUnits += billFailedCondition(error.Item ?? items.get(pk)).table;
          }
          throw error;
        }
      },
    { step: 'initialize', name: 'recordWrites' },
  );

  return () => {
    const recorded = recording;
    recording = emptyRecording();
    return recorded;
  };
}

function emptyRecording() {
  return {
    reported: new Map<string, number>(),
    computed: new Map<string, number>(),
    sizes: new Map<number, number[]>(),
    writes: 0,
    failedWrites: 0,
    failedUnits: 0,
  };
}

function isWrite(commandName: string): boolean {
  return /^(Put|Update|Delete|BatchWrite|Transact|Execute|BatchExecute)/.test(commandName);
}

function isUpdateInput(input: object): input is UpdateItemCommandInput {
  return 'UpdateExpression' in input;
}

function isUpdateOutput(output: object): output is UpdateItemCommandOutput {
  return 'ConsumedCapacity' in output;
}
