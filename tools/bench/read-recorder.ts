import type { DynamoDBClient, GetItemCommandOutput } from '@aws-sdk/client-dynamodb';
import { sizeOf } from './write-units/rules.ts';

/** One read of an item by its key. */
export interface Read {
  /** Read units, as the database says. */
  readonly reported: number;
  /** Read units of a strongly consistent read by the documented rules: one for each 4 KB begun. */
  readonly computed: number;
  /** The size of the item. */
  readonly bytes: number;
}

const unitBytes = 4096;

/** Records the consumption of every GetItem of the client from now on. @returns the records so far */
export function recordReads(client: DynamoDBClient): () => readonly Read[] {
  const reads: Read[] = [];
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName !== 'GetItemCommand') return next(args);
        Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' });
        const result = await next(args);
        reads.push(readOf(result.output));
        return result;
      },
    { step: 'initialize', name: 'recordReads' },
  );
  return () => reads;
}

function readOf(output: object): Read {
  const { ConsumedCapacity, Item = {} }: Partial<GetItemCommandOutput> = output;
  const bytes = sizeOf(Item);
  return {
    reported: ConsumedCapacity?.CapacityUnits ?? Number.NaN,
    computed: Math.max(1, Math.ceil(bytes / unitBytes)),
    bytes,
  };
}
