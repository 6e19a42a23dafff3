import { createHash } from 'node:crypto';
import { type Message, SQSClient } from '@aws-sdk/client-sqs';
import { expect, it } from 'vitest';
import { parseJson, readBody, sendJson } from '../../../../../../local/aws-protocol/http.ts';
import {
  BatchReader,
  recordOf,
} from '../../../../../../local/services/lambda/event-sources/queue-batches.ts';
import { inMemoryClient } from '../../../../../support/in-memory-http.ts';

const messageOf = (Body: string): Message => ({
  MessageId: `id of ${Body.slice(0, 9)}`,
  Body,
  MD5OfBody: createHash('md5').update(Body).digest('hex'),
});

/** A reader of a queue with these messages; `later` are sent when it finds the queue empty. */
function readerOf(
  bodies: string[],
  options: { batchSize: number; windowSeconds: number },
  later: string[] = [],
) {
  const client = new SQSClient(
    inMemoryClient(async (request, response) => {
      const { MaxNumberOfMessages } = Object(parseJson(await readBody(request, 10_000)));
      const Messages = bodies.splice(0, MaxNumberOfMessages).map(messageOf);
      if (Messages.length === 0) bodies.push(...later.splice(0));
      sendJson(response, 200, { Messages });
    }),
  );
  const reader = new BatchReader({ client, queueUrl: 'http://127.0.0.1:1/0/events', ...options });
  return async () => {
    const batch = await reader.next(new AbortController().signal);
    return batch.map(({ Body = '' }) => Body);
  };
}

it('a batch is filled up to its size from one receive after the other', async () => {
  const bodies = Array.from({ length: 50 }, (_, index) => String(index));
  const next = readerOf([...bodies], { batchSize: 25, windowSeconds: 300 });
  expect([await next(), await next()]).toEqual([bodies.slice(0, 25), bodies.slice(25)]);
});

it('a batch has the messages of the window', async () => {
  const next = readerOf(['first'], { batchSize: 2, windowSeconds: 300 }, ['second']);
  expect(await next()).toEqual(['first', 'second']);
});

it('a batch without a window has what one receive finds', async () => {
  const next = readerOf(['first'], { batchSize: 2, windowSeconds: 0 }, ['second']);
  expect(await next()).toEqual(['first']);
});

it('no batch makes an event larger than 6 MB, and none of its messages is lost', async () => {
  const bodies = Array.from({ length: 8 }, (_, index) => `${index}`.padEnd(1_000_000, 'x'));
  const next = readerOf([...bodies], { batchSize: 100, windowSeconds: 0 });
  const batches = [await next(), await next()];
  expect(batches.map((batch) => batch.length)).toEqual([6, 2]);
  expect(batches.flat()).toEqual(bodies);
  expect(JSON.stringify(batches[0]).length).toBeLessThanOrEqual(6 * 1024 * 1024);
});

it('a record has the attributes of its message as Lambda spells them', () => {
  const MessageAttributes = {
    kind: { DataType: 'String', StringValue: 'test' },
    bytes: { DataType: 'Binary', BinaryValue: new Uint8Array([1, 2]) },
  };
  expect(recordOf({ ...messageOf('hello'), MessageAttributes }, 'arn:queue')).toMatchObject({
    body: 'hello',
    messageAttributes: {
      kind: { stringValue: 'test', dataType: 'String' },
      bytes: { binaryValue: 'AQI=', dataType: 'Binary' },
    },
  });
});
