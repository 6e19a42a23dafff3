import { createHash } from 'node:crypto';
import type { SQSEvent } from 'aws-lambda';
import { onTestFinished, vi } from 'vitest';
import { shippedContract } from '../../../../../tools/support/contracts.ts';
import { waitLongForAws } from '../../../../../tools/support/lambda-events.ts';
import { answer, type Step, startScriptedServer } from '../../base/sms-service/scripted-server.ts';
import { queueRecord } from './queue-record.ts';

/** One call of AWS: `AmazonSQS.SendMessage`, `SNS.Publish`... */
interface AwsCall {
  readonly call: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const { exchange } = shippedContract.service.token;
const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const published =
  '<PublishResponse><PublishResult><MessageId>1</MessageId></PublishResult></PublishResponse>';

/** The default answers of AWS, which are all successes. */
const usual: Readonly<Record<string, (input: AwsCall['input']) => unknown>> = {
  'AmazonSQS.SendMessage': (input) => ({
    MessageId: '1',
    MD5OfMessageBody: md5(String(input.MessageBody)),
  }),
  'SNS.Publish': () => published,
};

/**
 * AWS and the SMS service, for handlers that are imported after this: their clients find both by the environment, which
 * holds these variables besides. All is undone after the test.
 *
 * @param aws answers by call; an empty one where neither these nor the usual ones have it
 * @param stores what the SMS service does with each contact, one after the other
 */
export async function startServices(
  variables: Readonly<Record<string, string>>,
  aws: Readonly<Record<string, (input: AwsCall['input']) => unknown>>,
  stores: readonly Step[] = [],
) {
  const calls: AwsCall[] = [];
  const server = await startScriptedServer(
    {
      'POST /': [
        (request) => {
          const made = callOf(request.headers['x-amz-target'], request.body);
          calls.push(made);
          const body = (aws[made.call] ?? usual[made.call])?.(made.input) ?? {};
          return answer(200, body)(request);
        },
      ],
      [`${exchange.method} ${exchange.path}`]: [answer(200, { access_token: 'token', expires_in: 3600 })],
      'POST /v1/contacts/store': stores,
    },
    () => undefined,
  );
  onTestFinished(() => server.close());
  const environment = {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
    AWS_ENDPOINT_URL: server.url,
    QUEUE_URL: `${server.url}/000000000000/queue`,
    DEAD_LETTER_QUEUE_URL: `${server.url}/000000000000/dead-letters`,
    SMS_SERVICE_BASE_URL: server.url,
    POWERTOOLS_SERVICE_NAME: 'an-automation',
    POWERTOOLS_METRICS_NAMESPACE: 'SmsPipeline',
    ...variables,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  await waitLongForAws();
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  return {
    inputs: (call: string) => calls.filter((made) => made.call === call).map(({ input }) => input),
    /** Bodies that were sent to the dead letter queue. */
    dead: () =>
      calls
        .filter(({ input }) => input.QueueUrl === environment.DEAD_LETTER_QUEUE_URL)
        .map(({ input }) => input.MessageBody),
    contacts: () =>
      server.requests
        .filter(({ path }) => path === '/v1/contacts/store')
        .map(({ body }): unknown => JSON.parse(body)),
  };
}

function callOf(target: unknown, body: string): AwsCall {
  if (typeof target === 'string') {
    const input: Record<string, unknown> = JSON.parse(body);
    return { call: target, input };
  }
  const { Action, ...input } = Object.fromEntries(new URLSearchParams(body));
  return { call: `SNS.${Action}`, input };
}

/** A message as SQS gives it away, its checksum included. */
export function receivable(body: string, receipt: string) {
  return { MessageId: receipt, ReceiptHandle: receipt, Body: body, MD5OfBody: md5(body) };
}

/** A batch of messages, received for the third time and first so many hours ago; their ids count from 1. */
export function batch(bodies: readonly string[], ageHours = 0): SQSEvent {
  const firstReceivedAt = Date.now() - ageHours * 3_600_000;
  return { Records: bodies.map((body, index) => queueRecord(String(index + 1), 3, firstReceivedAt, body)) };
}
