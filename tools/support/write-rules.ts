import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** DynamoDB's documented rules of billing, as pure functions, because DynamoDB Local only approximates them. */

export type Item = Readonly<Record<string, AttributeValue>>;

export interface Index {
  readonly name: string;
  /** Its own keys and the table's. An item without one of them is not in it. */
  readonly keys: readonly string[];
  /** The other attributes that it repeats of an item. */
  readonly repeats?: readonly string[];
}

/** Write units by where they are spent. */
export interface Bill {
  readonly table: number;
  /** By index name; those that a write does not touch are missing. */
  readonly indexes: Readonly<Record<string, number>>;
}

const unitBytes = 1024;

/**
 * A write bills the larger of the old and the new item; an index the entries that are taken out and put in, and nothing
 * where its entry stays as it is (Developer Guide, Read and write operations; Global secondary indexes, Writes).
 */
export function billWrite(
  before: Item | undefined,
  after: Item | undefined,
  indexes: readonly Index[],
): Bill {
  const touched = indexes.flatMap((index) => {
    const [old, fresh] = [entryOf(before, index), entryOf(after, index)];
    if (JSON.stringify(old) === JSON.stringify(fresh)) return [];
    const isMoved = index.keys.some((key) => JSON.stringify(old?.[key]) !== JSON.stringify(fresh?.[key]));
    // An entry that keeps its place is written once.
    const units = isMoved
      ? (old === undefined ? 0 : unitsOf(old)) + (fresh === undefined ? 0 : unitsOf(fresh))
      : Math.max(unitsOf(old ?? {}), unitsOf(fresh ?? {}));
    return [[index.name, units] as const];
  });
  return {
    table: Math.max(unitsOf(before ?? {}), unitsOf(after ?? {})),
    indexes: Object.fromEntries(touched),
  };
}

/** Bytes of names and values (Developer Guide, DynamoDB item sizes and formats). */
export function sizeOf(item: Item): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + valueSize(value),
    0,
  );
}

function unitsOf(item: Item): number {
  return Math.max(1, Math.ceil(sizeOf(item) / unitBytes));
}

/** Returns the part of an item that an index holds; undefined if the item is not in the index. */
export function entryOf(item: Item | undefined, { keys, repeats = [] }: Index): Item | undefined {
  if (item === undefined) return undefined;
  const entry: Record<string, AttributeValue> = {};
  for (const key of keys) {
    const value = item[key];
    if (value === undefined) return undefined;
    entry[key] = value;
  }
  for (const name of repeats) {
    const value = item[name];
    if (value !== undefined) entry[name] = value;
  }
  return entry;
}

const nestedOverhead = 3;
const elementOverhead = 1;

function valueSize({ S, N, B, BOOL, NULL, M, L, SS, NS, BS }: AttributeValue): number {
  if (S !== undefined) return Buffer.byteLength(S);
  if (N !== undefined) return numberSize(N);
  if (B !== undefined) return B.length;
  if (BOOL !== undefined || NULL !== undefined) return 1;
  if (M !== undefined) return nestedOverhead + sizeOf(M) + elementOverhead * Object.keys(M).length;
  if (L !== undefined) return nestedOverhead + sum(L.map((value) => valueSize(value) + elementOverhead));
  return sum([
    ...(SS ?? []).map((text) => Buffer.byteLength(text)),
    ...(NS ?? []).map(numberSize),
    ...(BS ?? []).map(({ length }) => length),
  ]);
}

/** About one byte for two significant digits, and one more; another one for a sign. */
function numberSize(text: string): number {
  const digits = text
    .replace(/e.*$/i, '')
    .replace(/[-+.]/g, '')
    .replace(/^0+|0+$/g, '');
  return Math.ceil(digits.length / 2) + 1 + (text.startsWith('-') ? 1 : 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
