import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { REGION } from '../account.ts';
import type { PollerSettings } from '../event-source/poller-settings.ts';

/**
 * A client for the streams of the local DynamoDB, which are served where its tables are.
 * @param settings whose calls they are, and what else differs from the SDK's defaults
 */
export function dynamoDbStreamsClient(
  endpoint: string,
  settings: Partial<PollerSettings> = {},
): DynamoDBStreamsClient {
  return new DynamoDBStreamsClient({
    endpoint,
    region: REGION,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    ...settings,
  });
}
