import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { type CounterKey, onlySort } from './cohort.ts';
import { type CodeNames, codeNames, codesOf, maxCodes, otherCode } from './count-names.ts';
import { readCounters } from './counter-item-store.ts';
import { keyAttributes, nameOf } from './counter-items.ts';
import type { Tally } from './tally.ts';

const codesKey: CounterKey = { pk: 'error-codes', sk: onlySort };

/** Reads the codes that have counts of their own. A code is never removed. */
export async function readCodes(client: DynamoDBClient, tableName: string): Promise<ReadonlySet<string>> {
  const items = await readCounters(client, tableName, [codesKey], true);
  return new Set(items.get(nameOf(codesKey))?.codes?.SS ?? []);
}

/**
 * Returns what gives the new codes of tallies counts of their own, while there are fewer than {@link maxCodes}, and returns the names
 * of their counts. Call it before the counts are written.
 *
 * @param onFull called once, with the first tallies that have a code without a count of its own
 */
export function createCodes(client: DynamoDBClient, tableName: string, onFull: () => void) {
  let known: ReadonlySet<string> = new Set();
  let hasReported = false;

  /** The condition fails when another writer added codes, so there are never too many. */
  async function add(codes: readonly string[]): Promise<void> {
    const { size } = known;
    try {
      await client.send(
        new UpdateItemCommand({
          TableName: tableName,
          Key: keyAttributes(codesKey),
          UpdateExpression: 'ADD #codes :codes',
          ConditionExpression: size === 0 ? 'attribute_not_exists(#codes)' : 'size(#codes) = :size',
          ExpressionAttributeNames: { '#codes': 'codes' },
          ExpressionAttributeValues: {
            ':codes': { SS: [...codes] },
            ...(size > 0 && { ':size': { N: String(size) } }),
          },
        }),
      );
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    }
  }

  return async (tallies: readonly Tally[]): Promise<CodeNames> => {
    const codes = new Set(tallies.flatMap(codesOf));
    const unknown = () => [...codes].filter((code) => code !== otherCode && !known.has(code));
    if (unknown().length > 0 && known.size < maxCodes) known = await readCodes(client, tableName);
    while (unknown().length > 0 && known.size < maxCodes) {
      await add(unknown().slice(0, maxCodes - known.size));
      known = await readCodes(client, tableName);
    }
    if (unknown().length > 0 && !hasReported) {
      hasReported = true;
      onFull();
    }
    return codeNames(known);
  };
}
