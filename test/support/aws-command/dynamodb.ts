import { parseArgs } from 'node:util';
import { type AttributeValue, DynamoDBClient, GetItemCommand, paginateQuery } from '@aws-sdk/client-dynamodb';

const [service, operation, ...rest] = process.argv.slice(2);
const { values } = parseArgs({
  args: rest,
  options: {
    'table-name': { type: 'string' },
    key: { type: 'string' },
    'index-name': { type: 'string' },
    'key-condition-expression': { type: 'string' },
    'expression-attribute-names': { type: 'string' },
    'expression-attribute-values': { type: 'string' },
    'no-scan-index-forward': { type: 'boolean', default: false },
  },
});

const client = new DynamoDBClient({});
const TableName = values['table-name'];

if (service !== 'dynamodb') throw new Error(`unknown service ${service}`);
if (operation === 'get-item') {
  const { Item } = await client.send(new GetItemCommand({ TableName, Key: json(values.key) }));
  console.log(JSON.stringify({ Item }));
} else if (operation === 'query') {
  const Items: Record<string, AttributeValue>[] = [];
  const query = {
    TableName,
    IndexName: values['index-name'],
    KeyConditionExpression: values['key-condition-expression'],
    ExpressionAttributeNames: json(values['expression-attribute-names']),
    ExpressionAttributeValues: json(values['expression-attribute-values']),
    ScanIndexForward: !values['no-scan-index-forward'],
  };
  // As the AWS CLI does, all pages.
  for await (const page of paginateQuery({ client }, query)) Items.push(...(page.Items ?? []));
  console.log(JSON.stringify({ Items }));
} else throw new Error(`unknown operation ${operation}`);

function json(text: string | undefined) {
  return text === undefined ? undefined : JSON.parse(text);
}
