// Asks the eight questions of docs/reference/query-dynamodb.md with the document client, and prints the answers as JSON.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';

const client = DynamoDBDocumentClient.from(new DynamoDBClient());
const { HISTORY, QUARANTINE } = process.env;

// 1. What happened to a message?
const { Item: message } = await client.send(
  new GetCommand({ TableName: HISTORY, Key: { pk: 'message#SM0123' } }),
);

// 2. What was sent to a number, and what did it reply?
const { Items: conversation } = await client.send(
  new QueryCommand({
    TableName: HISTORY,
    IndexName: 'byNumber',
    KeyConditionExpression: 'phone = :phone',
    ExpressionAttributeValues: { ':phone': '+12025550143' },
    ScanIndexForward: false,
  }),
);

// 3. Which messages failed on a day?
const { Items: failed } = await client.send(
  new QueryCommand({
    TableName: HISTORY,
    IndexName: 'byList',
    KeyConditionExpression: 'listName = :list',
    ExpressionAttributeValues: { ':list': 'failed#2026-01-15' },
  }),
);

// 4. Which messages have no final status yet?
const { Items: pending } = await client.send(
  new QueryCommand({
    TableName: HISTORY,
    IndexName: 'byList',
    KeyConditionExpression: 'listName = :list',
    ExpressionAttributeValues: { ':list': 'pending' },
  }),
);

// 5. Which messages belong to a send?
const { Items: send } = await client.send(
  new QueryCommand({
    TableName: HISTORY,
    IndexName: 'bySend',
    KeyConditionExpression: 'sendList = :sendList',
    ExpressionAttributeValues: { ':sendList': 'spring-sale' },
  }),
);

// 6. Who replied on a day?
const { Items: replies } = await client.send(
  new QueryCommand({
    TableName: HISTORY,
    IndexName: 'byList',
    KeyConditionExpression: 'listName = :list',
    ExpressionAttributeValues: { ':list': 'replies#2026-01-15' },
  }),
);

// 7. Which numbers opted out?
const { Items: optedOut } = await client.send(
  new QueryCommand({
    TableName: HISTORY,
    IndexName: 'byList',
    KeyConditionExpression: 'listName = :list',
    ExpressionAttributeValues: { ':list': 'opted-out' },
  }),
);

// 8. What could not be stored on a day?
const { Items: quarantined } = await client.send(
  new QueryCommand({
    TableName: QUARANTINE,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': '2026-01-15' },
  }),
);

const answers = {
  1: [message],
  2: conversation,
  3: failed,
  4: pending,
  5: send,
  6: replies,
  7: optedOut,
  8: quarantined,
};
console.log(JSON.stringify(answers, null, 2));
