import {
  ConditionalCheckFailedException,
  DescribeTableCommand,
  type DynamoDBClient,
  type UpdateItemCommandInput,
  type UpdateItemCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { billFailedCondition, billWrite, type Index, type Item } from './rules.ts';

/** The writes of a run, and their write units by the documented rules. */
export interface Recording {
  /** By the name of the table's row and of the indexes, without failed writes. */
  readonly units: ReadonlyMap<string, number>;
  readonly writes: number;
  readonly failedWrites: number;
  readonly failedUnits: number;
}

export const tableRow = 'table';

/** Returns the indexes of a table, whose projection must be of keys only. */
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
 * Records the write units of every update of the client from now on; no other client may write meanwhile.
 *
 * @returns what was recorded since the last call
 */
export function recordWrites(client: DynamoDBClient, indexes: readonly Index[]): () => Recording {
  const items = new Map<string, Item>();
  const empty = () => ({ units: new Map<string, number>(), writes: 0, failedWrites: 0, failedUnits: 0 });
  let recording = empty();

  function written(pk: string, after: Item): void {
    const bill = billWrite(items.get(pk), after, indexes);
    for (const [name, units] of [[tableRow, bill.table] as const, ...Object.entries(bill.indexes)])
      recording.units.set(name, (recording.units.get(name) ?? 0) + units);
    items.set(pk, after);
    recording.writes += 1;
  }

  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (!/^(Put|Update|Delete|BatchWrite|Transact|Execute|BatchExecute)/.test(commandName))
          return next(args);
        const { input } = args;
        if (!isUpdateInput(input)) throw new Error(`${commandName} is not counted`);
        const pk = input.Key?.pk?.S ?? '';
        Object.assign(input, { ReturnValues: 'ALL_NEW' });
        try {
          const result = await next(args);
          const output: object = result.output;
          const { Attributes = {} }: Partial<UpdateItemCommandOutput> = output;
          written(pk, Attributes);
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
    recording = empty();
    return recorded;
  };
}

function isUpdateInput(input: object): input is UpdateItemCommandInput {
  return 'UpdateExpression' in input;
}
