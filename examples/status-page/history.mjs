import { createClient } from 'sms-event-pipeline/client';

const { QUERY_URL, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;

/** The client of the query API. Lambda sets the variables of AWS; a local run accepts any. */
export const history = createClient({
  baseUrl: QUERY_URL,
  region: AWS_REGION ?? 'us-east-1',
  credentials: {
    accessKeyId: AWS_ACCESS_KEY_ID ?? 'any',
    secretAccessKey: AWS_SECRET_ACCESS_KEY ?? 'any',
    sessionToken: AWS_SESSION_TOKEN,
  },
});
