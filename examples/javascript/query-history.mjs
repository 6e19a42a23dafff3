// Asks the eight questions of docs/reference/data-model.md with the document client, and prints the answers as JSON.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';

const client = DynamoDBDocumentClient.from(new DynamoDBClient());
const { HISTORY, QUARANTINE } = process.env;

// A1: What happened to a message?
const { Item: message } = await client.send(
  new GetCommand({ TableName: HISTORY, Key: { pk: 'message#SM0123' } }),
);

// A2: What was sent to a number, and what did it reply?
const { Items: conversation } = await client.send(
  new QueryCommand({
    TableName: HISTORY,
    IndexName: 'byNumber',
    KeyConditionExpression: 'phone = :phone',
    ExpressionAttributeValues: { ':phone': '+12025550143' },
    ScanIndexForward: false,
  }),
);

// A3: Which messages failed on a day?
const { Items: failed } = await client.send(
  new QueryCommand({
    TableName: HISTORY,
    IndexName: 'byList',
    KeyConditionExpression: 'listName = :list',
    ExpressionAttributeValues: { ':list': 'failed#2026-01-15' },
  }),
);

// A4: Which messages have no final status yet?
const { Items: pending } = await client.send(
  new QueryCommand({
    TableName: HISTORY,
    IndexName: 'byList',
    KeyConditionExpression: 'listName = :list',
    ExpressionAttributeValues: { ':list': 'pending' },
  }),
);

// A5: Which messages belong to a send?
const { Items: send } = await client.send(
  new QueryCommand({
    TableName: HISTORY,
    IndexName: 'bySend',
    KeyConditionExpression: 'sendList = :sendList',
    ExpressionAttributeValues: { ':sendList': 'spring-sale' },
  }),
);

// A6: Who replied on a day?
const { Items: replies } = await client.send(
  new QueryCommand({
    TableName: HISTORY,
    IndexName: 'byList',
    KeyConditionExpression: 'listName = :list',
    ExpressionAttributeValues: { ':list': 'replies#2026-01-15' },
  }),
);

// A7: Which numbers opted out?
const { Items: optedOut } = await client.send(
  new QueryCommand({
    TableName: HISTORY,
    IndexName: 'byList',
    KeyConditionExpression: 'listName = :list',
    ExpressionAttributeValues: { ':list': 'opted-out' },
  }),
);

// A8: What could not be stored on a day?
const { Items: quarantined } = await client.send(
  new QueryCommand({
    TableName: QUARANTINE,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': '2026-01-15' },
  }),
);

const answers = {
  A1: [message],
  A2: conversation,
  A3: failed,
  A4: pending,
  A5: send,
  A6: replies,
  A7: optedOut,
  A8: quarantined,
};
console.log(JSON.stringify(answers, null, 2));
