import { SNSClient } from '@aws-sdk/client-sns';
import { REGION } from '../account.ts';

/** A client for the local SNS, which fauxqs serves where its queues are: see sqs-server.ts. */
export function snsClient(endpoint: string): SNSClient {
  return new SNSClient({
    endpoint,
    region: REGION,
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
}
