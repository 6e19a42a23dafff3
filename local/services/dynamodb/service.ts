import * as z from 'zod';
import { arnOf, type Permission, UnknownCallError } from '../../aws-protocol/call.ts';
import { defineService, jsonOf } from '../definition/define-service.ts';

export const dynamoDb = defineService({
  name: 'dynamodb',
  endpoint: { variable: 'DYNAMODB', port: 'dynamodb' },
  targets: ['DynamoDB_20120810', 'DynamoDBStreams_20120810'],
  permissions: ({ operation, body }) => permissionsOf(operation, jsonOf(body)),
  errors: {
    refuse: { status: 400, name: 'AccessDeniedException' },
    throttle: { status: 400, name: 'ProvisionedThroughputExceededException' },
    fail: { status: 500, name: 'InternalServerError' },
  },
  errorFormat: 'json-1.0',
});

const table = z.object({ TableName: z.string() });
const item = z.object({ TableName: z.string(), Key: z.record(z.string(), z.unknown()) });
const written = z.object({ TableName: z.string(), Item: z.record(z.string(), z.unknown()) });
const textKey = z.object({ S: z.string() });
const read = z.object({ TableName: z.string(), IndexName: z.string().optional() });
const batch = z.object({ RequestItems: z.record(z.string(), z.unknown()) });
const transaction = z.object({ TransactItems: z.array(z.record(z.string(), table)) });

/** Operations that need the action of their name, on their table. */
const ON_TABLE = new Set(['DeleteItem', 'DescribeTable', 'UpdateItem']);

/** Operations that need the action of their name, on their index if they name one, else on their table. */
const ON_TABLE_OR_INDEX = new Set(['Query', 'Scan']);

/** Operations that need the action of their name, on each of their tables. */
const ON_TABLES = new Set(['BatchGetItem', 'BatchWriteItem']);

const TRANSACTIONS = new Set(['TransactGetItems', 'TransactWriteItems']);

/** A transaction needs what its items need (DynamoDB Developer Guide, "Using IAM with DynamoDB transactions"). */
const ACTION_OF_ITEM: ReadonlyMap<string, string> = new Map([
  ['ConditionCheck', 'ConditionCheckItem'],
  ['Delete', 'DeleteItem'],
  ['Get', 'GetItem'],
  ['Put', 'PutItem'],
  ['Update', 'UpdateItem'],
]);

/**
 * @param operation what follows `DynamoDB_20120810.` in `X-Amz-Target`
 * @throws UnknownCallError
 * @throws ZodError for an input that names no table
 */
function permissionsOf(operation: string, input: unknown): Permission[] {
  const action = `dynamodb:${operation}`;
  if (operation === 'GetItem') return [{ action, ...ofKey(item.parse(input)) }];
  if (operation === 'PutItem') {
    const { TableName, Item } = written.parse(input);
    return [{ action, ...ofKey({ TableName, Key: Item }) }];
  }
  if (ON_TABLE.has(operation)) return [{ action, resource: tableArn(table.parse(input).TableName) }];
  if (ON_TABLE_OR_INDEX.has(operation)) {
    const { TableName, IndexName } = read.parse(input);
    const index = IndexName === undefined ? '' : `/index/${IndexName}`;
    return [{ action, resource: `${tableArn(TableName)}${index}` }];
  }
  if (ON_TABLES.has(operation)) {
    const names = Object.keys(batch.parse(input).RequestItems);
    return names.map((name) => ({ action, resource: tableArn(name) }));
  }
  if (TRANSACTIONS.has(operation)) {
    return transaction.parse(input).TransactItems.flatMap((item) => Object.entries(item).map(ofItem));
  }
  throw new UnknownCallError(action);
}

/**
 * The decision gets only the kind of the partition key, such as `message#`: decisions are cached, and there are as many keys as messages.
 * Grants by key name kinds.
 */
function ofKey({ TableName, Key }: z.output<typeof item>) {
  const resource = tableArn(TableName);
  const { data } = textKey.safeParse(Key.pk);
  if (data === undefined) return { resource };
  return { resource, context: { 'dynamodb:LeadingKeys': [data.S.slice(0, data.S.indexOf('#') + 1)] } };
}

function ofItem([kind, { TableName }]: [string, z.output<typeof table>]): Permission {
  const operation = ACTION_OF_ITEM.get(kind);
  if (operation === undefined) throw new UnknownCallError(`dynamodb:${kind} in a transaction`);
  return { action: `dynamodb:${operation}`, resource: tableArn(TableName) };
}

function tableArn(nameOrArn: string): string {
  return nameOrArn.startsWith('arn:') ? nameOrArn : arnOf('dynamodb', `table/${nameOrArn}`);
}
