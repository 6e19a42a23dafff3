import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { REGION } from '../account.ts';

/** A client for the streams of the local DynamoDB, which are served where its tables are. */
export function dynamoDbStreamsClient(endpoint: string): DynamoDBStreamsClient {
  return new DynamoDBStreamsClient({
    endpoint,
    region: REGION,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
}
