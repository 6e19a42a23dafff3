import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { answer, type Step, startScriptedServer } from '../../../../functions/sms-service/scripted-server.ts';

type Input = Readonly<Record<string, unknown>>;

/** A stream of one shard behind the real client, whose records, iterators and end a test has in its hand. */
export async function startFakeShard(...records: string[]) {
  let generation = 0;
  let reads = 0;
  let onRead: (read: number) => void = () => {};

  const iteratorAt = (index: number) => `${generation}:${index}`;
  const startOf = ({ ShardIteratorType, SequenceNumber }: Input): number => {
    if (ShardIteratorType === 'TRIM_HORIZON') return 0;
    if (ShardIteratorType === 'LATEST') return records.length;
    return records.indexOf(String(SequenceNumber)) + (ShardIteratorType === 'AFTER_SEQUENCE_NUMBER' ? 1 : 0);
  };
  const operations: Readonly<Record<string, (input: Input) => Step>> = {
    DescribeStream: () =>
      answer(200, {
        StreamDescription: {
          Shards: [{ ShardId: 'shard', SequenceNumberRange: { StartingSequenceNumber: '0' } }],
        },
      }),
    GetShardIterator: (input) => answer(200, { ShardIterator: iteratorAt(startOf(input)) }),
    GetRecords: ({ ShardIterator }) => {
      reads += 1;
      onRead(reads);
      const [from, index] = String(ShardIterator).split(':').map(Number);
      if (from !== generation) return answer(400, { __type: 'ExpiredIteratorException' });
      return answer(200, {
        Records: records.slice(index).map((SequenceNumber) => ({
          dynamodb: { SequenceNumber, Keys: { pk: { S: SequenceNumber } } },
        })),
        NextShardIterator: iteratorAt(records.length),
      });
    },
  };
  const play: Step = (request) => {
    const name = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    return operations[name]?.(JSON.parse(request.body))(request) ?? 'reset';
  };
  const server = await startScriptedServer({ 'POST /': [play] }, () => undefined);
  const client = new DynamoDBStreamsClient({
    endpoint: server.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    maxAttempts: 1,
  });
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
    async stop(): Promise<void> {
      client.destroy();
      await server.close();
    },
  };
}
