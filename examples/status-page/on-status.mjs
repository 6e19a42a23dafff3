import { ConditionalCheckFailedException, DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';

/** What a user sees for each outcome of a message. An outcome replaces those of a lower rank, as in the history. */
const shown = {
  unknown: { rank: 1, status: 'not known' },
  failure: { rank: 2, status: 'not delivered' },
  success: { rank: 3, status: 'delivered' },
};

/** Writes what a user sees into the message's item of your table, unless a later event has written more. */
export async function rememberStatus(client, tableName, { source = 'main', messageId, outcome }) {
  // The page shows a message without a status as on its way.
  if (outcome === 'open') return;
  const { rank, status } = shown[outcome];
  const update = new UpdateItemCommand({
    TableName: tableName,
    Key: { messageId: { S: `${source}/${messageId}` } },
    UpdateExpression: 'SET #status = :status, #rank = :rank',
    ConditionExpression: 'attribute_not_exists(#rank) OR #rank < :rank',
    ExpressionAttributeNames: { '#status': 'status', '#rank': 'rank' },
    ExpressionAttributeValues: { ':status': { S: status }, ':rank': { N: String(rank) } },
  });
  try {
    await client.send(update);
  } catch (error) {
    // The event is a repeat, or arrived after a newer one.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

const client = new DynamoDBClient();

/** The Lambda function. */
export const handler = ({ detail }) => rememberStatus(client, process.env.SENT_TABLE, detail);
