import { type AttributeValue, type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { Counters } from './recount.ts';

/** Attributes of an item of counters that are numbers, and no counts. */
const others: ReadonlySet<string> = new Set(['expiresAt']);

/** Reads all counters other than zeros, also those of replies that wait for their message. */
export async function readCounters(client: DynamoDBClient, TableName: string): Promise<Counters> {
  const counters = new Map<string, Map<string, number>>();
  let ExclusiveStartKey: Record<string, AttributeValue> | undefined;
  do {
    const page = await client.send(
      new ScanCommand({ TableName, ConsistentRead: true, ...(ExclusiveStartKey && { ExclusiveStartKey }) }),
    );
    for (const item of page.Items ?? []) {
      const key = `${item.pk?.S} ${item.sk?.S}`;
      if (!/^(send|quarter-hours|days|waiting-replies)#/.test(key)) continue;
      const counts = Object.entries(item)
        .filter(([name, { N }]) => N !== undefined && !others.has(name) && Number(N) !== 0)
        .map(([name, { N }]) => [name, Number(N)] as const);
      if (counts.length > 0) counters.set(key, new Map(counts));
    }
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  return counters;
}

/** Returns a line for each count that differs. */
export function differences(stored: Counters, expected: Counters): string[] {
  const keys = [...new Set([...stored.keys(), ...expected.keys()])].sort();
  return keys.flatMap((key) => {
    const [found, wanted] = [stored.get(key), expected.get(key)];
    const names = [...new Set([...(found?.keys() ?? []), ...(wanted?.keys() ?? [])])].sort();
    return names.flatMap((name) => {
      const [is, should] = [found?.get(name) ?? 0, wanted?.get(name) ?? 0];
      return is === should ? [] : [`${key} ${name}: ${is} instead of ${should}`];
    });
  });
}

/** The number of counts. */
export function countsIn(counters: Counters): number {
  return [...counters.values()].reduce((sum, counts) => sum + counts.size, 0);
}
