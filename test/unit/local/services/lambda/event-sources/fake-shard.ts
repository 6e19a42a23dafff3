import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { parseJson, readBody, sendJson } from '../../../../../../local/aws-protocol/http.ts';
import { inMemoryClient } from '../../../../../support/in-memory-http.ts';

type Input = Readonly<Record<string, unknown>>;

/** A stream of one shard behind the real client, whose records, iterators and end a test has in its hand. */
export function createFakeShard(...records: string[]) {
  let generation = 0;
  let reads = 0;
  let onRead: (read: number) => void = () => {};

  const iteratorAt = (index: number) => `${generation}:${index}`;
  const startOf = ({ ShardIteratorType, SequenceNumber }: Input): number => {
    if (ShardIteratorType === 'TRIM_HORIZON') return 0;
    if (ShardIteratorType === 'LATEST') return records.length;
    return records.indexOf(String(SequenceNumber)) + (ShardIteratorType === 'AFTER_SEQUENCE_NUMBER' ? 1 : 0);
  };
  const operations: Readonly<Record<string, (input: Input) => readonly [status: number, body: object]>> = {
    DescribeStream: () => {
      const Shards = [{ ShardId: 'shard', SequenceNumberRange: { StartingSequenceNumber: '0' } }];
      return [200, { StreamDescription: { Shards } }];
    },
    GetShardIterator: (input) => [200, { ShardIterator: iteratorAt(startOf(input)) }],
    GetRecords: ({ ShardIterator }) => {
      reads += 1;
      onRead(reads);
      const [from, index] = String(ShardIterator).split(':').map(Number);
      if (from !== generation) return [400, { __type: 'ExpiredIteratorException' }];
      const Records = records.slice(index).map((SequenceNumber) => ({
        dynamodb: { SequenceNumber, Keys: { pk: { S: SequenceNumber } } },
      }));
      return [200, { Records, NextShardIterator: iteratorAt(records.length) }];
    },
  };
  const client = new DynamoDBStreamsClient(
    inMemoryClient(async (request, response) => {
      const name = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
      const input = Object(parseJson(await readBody(request, 100_000)));
      const [status, body] = operations[name]?.(input) ?? [400, {}];
      sendJson(response, status, body);
    }),
  );
  return {
    client,
    /** Called before each answer to GetRecords, with how many there were. */
    onRead: (listener: (read: number) => void) => {
      onRead = listener;
    },
    write: (...sequenceNumbers: string[]) => records.push(...sequenceNumbers),
    expireIterators: () => {
      generation += 1;
    },
  };
}
