import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';

const dynamoDb = new DynamoDBClient({});

/** Keeps the text of each reply in a table of the app. */
export async function handler({ detail }) {
  console.log(`a reply for ${process.env.TABLE_NAME}`);
  const Item = { id: { S: detail.replyId }, text: { S: detail.text } };
  await dynamoDb.send(new PutItemCommand({ TableName: process.env.TABLE_NAME, Item }));
}
