import { ConditionalCheckFailedException, DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';

/** What a user sees for each outcome of a message. */
const shown = { unknown: 'not known', failure: 'not delivered', success: 'delivered' };

/** Writes what a user sees into the message's item of your table, unless an event with more reports has written it. */
export async function rememberStatus(
  client,
  tableName,
  { source = 'main', messageId, outcome, reportCount },
) {
  // The page shows a message without a status as on its way.
  if (outcome === 'open') return;
  const update = new UpdateItemCommand({
    TableName: tableName,
    Key: { messageId: { S: `${source}/${messageId}` } },
    UpdateExpression: 'SET #status = :status, #reports = :reports',
    ConditionExpression: 'attribute_not_exists(#reports) OR #reports <= :reports',
    ExpressionAttributeNames: { '#status': 'status', '#reports': 'reports' },
    ExpressionAttributeValues: { ':status': { S: shown[outcome] }, ':reports': { N: String(reportCount) } },
  });
  try {
    await client.send(update);
  } catch (error) {
    // The event arrived after a newer one.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

const client = new DynamoDBClient();

/** The Lambda function. */
export const handler = ({ detail }) => rememberStatus(client, process.env.SENT_TABLE, detail);
