// Asks the eight questions of docs/reference/query-dynamodb.md with the document client, and prints the answers as JSON.
// Install it with `npm install @aws-sdk/client-dynamodb @aws-sdk/lib-dynamodb`. HISTORY and QUARANTINE are the names of the tables, as
// `sms outputs` prints them.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';

const client = DynamoDBDocumentClient.from(new DynamoDBClient());
const { HISTORY, QUARANTINE } = process.env;

/** Returns the items of all pages of a query. */
async function query(request) {
  const items = [];
  for await (const page of paginateQuery({ client }, request)) items.push(...(page.Items ?? []));
  return items;
}

// 1. What happened to a message?
const { Item: message } = await client.send(
  new GetCommand({ TableName: HISTORY, Key: { pk: 'message#SM0123' } }),
);

// 2. What was sent to a number, and what did it reply?
const conversation = await query({
  TableName: HISTORY,
  IndexName: 'byNumber',
  KeyConditionExpression: 'phone = :phone',
  ExpressionAttributeValues: { ':phone': '+12025550143' },
  ScanIndexForward: false,
});

// 3. Which messages failed on a day?
const failed = await query({
  TableName: HISTORY,
  IndexName: 'byList',
  KeyConditionExpression: 'listName = :list',
  ExpressionAttributeValues: { ':list': 'failed#2026-01-15' },
});

// 4. Which messages have no final status yet?
const pending = await query({
  TableName: HISTORY,
  IndexName: 'byList',
  KeyConditionExpression: 'listName = :list',
  ExpressionAttributeValues: { ':list': 'pending' },
});

// 5. Which messages belong to a send?
const send = await query({
  TableName: HISTORY,
  IndexName: 'bySend',
  KeyConditionExpression: 'sendList = :sendList',
  ExpressionAttributeValues: { ':sendList': 'spring-sale' },
});

// 6. Who replied on a day?
const replies = await query({
  TableName: HISTORY,
  IndexName: 'byList',
  KeyConditionExpression: 'listName = :list',
  ExpressionAttributeValues: { ':list': 'replies#2026-01-15' },
});

// 7. Which numbers opted out?
const optedOut = await query({
  TableName: HISTORY,
  IndexName: 'byList',
  KeyConditionExpression: 'listName = :list',
  ExpressionAttributeValues: { ':list': 'opted-out' },
});

// 8. What could not be stored on a day?
const quarantined = await query({
  TableName: QUARANTINE,
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': '2026-01-15' },
});

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

/** Writes what controls a terminal, or the direction of a text, as escapes of JSON: a reply may have such characters. */
function escaped(text) {
  return text.replaceAll(/[\x7f-\x9f\p{Cf}]/gu, (found) =>
    found.replaceAll(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

console.log(escaped(JSON.stringify(answers, null, 2)));
