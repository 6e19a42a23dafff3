import { SQSClient } from '@aws-sdk/client-sqs';
import { afterEach } from 'vitest';
import { type ScriptedServer, type Step, startScriptedServer } from './sms-service/scripted-server.ts';

const servers = new Set<ScriptedServer>();

afterEach(async () => {
  for (const server of servers) await server.close();
  servers.clear();
});

/** A real client of an endpoint that plays these steps; closed after the test. */
export async function startSqs(...steps: readonly Step[]) {
  const server = await startScriptedServer({ 'POST /': steps }, () => undefined);
  servers.add(server);
  const client = new SQSClient({
    endpoint: server.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    maxAttempts: 1,
    // The answers of the script hold no checksum of what was sent.
    md5: false,
    useQueueUrlAsEndpoint: false,
  });
  const calls = () =>
    server.requests.map(({ headers, body }) => {
      const input: Record<string, unknown> = JSON.parse(body);
      return { call: headers['x-amz-target'], input };
    });
  const traces = () => server.requests.map(({ headers }) => headers['x-amzn-trace-id']);
  return { client, calls, traces };
}

export const queueUrl = 'https://sqs.us-east-1.amazonaws.com/000000000000/queue';

/** SQS's answer to a message it keeps, and to one it does not. */
export const kept = { MessageId: '1' };
export const refused = { __type: 'com.amazonaws.sqs#InvalidMessageContents', message: 'about the message' };
