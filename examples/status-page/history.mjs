import { createClient } from 'sms-event-pipeline/client';

/** A pipeline on this machine accepts any keys. */
const isLocal = /^http:\/\/(127\.0\.0\.1|localhost):/.test(process.env.QUERY_URL);
const anyKeys = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any' };
const env = isLocal ? { ...anyKeys, ...process.env } : process.env;

const needed = ['QUERY_URL', 'AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
const missing = needed.filter((name) => !env[name]);
if (missing.length > 0) throw new Error(`Set the environment variables ${missing.join(', ')}.`);

/** The client of the query API. Lambda sets the variables of AWS. */
export const history = createClient({
  baseUrl: env.QUERY_URL,
  region: env.AWS_REGION,
  credentials: {
    accessKeyId: env.AWS_ACCESS_KEY_ID,
    secretAccessKey: env.AWS_SECRET_ACCESS_KEY,
    sessionToken: env.AWS_SESSION_TOKEN,
  },
});
