import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { describe, expect, it } from 'vitest';
import { createChangeReader } from '../../../../cli/stores/history-changes.ts';
import { paddedSequence } from '../../../../functions/insights/counters/shard-state.ts';
import { answering, anyAccount } from '../support/aws.ts';

const named = (name: string) => Object.assign(new Error('from DynamoDB'), { name });
const change = (SequenceNumber: string, pk: string) => ({
  eventName: 'INSERT',
  dynamodb: { SequenceNumber, Keys: { pk: { S: pk } }, NewImage: { pk: { S: pk } } },
});

/** The history's stream with one shard, which ends after its first page. @param fails the errors of the first calls of an operation */
function stream(fails: Readonly<Record<string, readonly Error[]>> = {}) {
  const asked: [string, Readonly<Record<string, unknown>>][] = [];
  const left = new Map(Object.entries(fails).map(([name, errors]) => [name, [...errors]]));
  const answer = (command: string, input: Readonly<Record<string, unknown>>) => {
    asked.push([command, input]);
    const error = left.get(command)?.shift();
    if (error !== undefined) throw error;
    if (command === 'DescribeTableCommand') return { Table: { LatestStreamArn: 'arn:stream' } };
    if (command === 'DescribeStreamCommand') return { StreamDescription: { Shards: [{ ShardId: 's1' }] } };
    if (command === 'GetShardIteratorCommand') return { ShardIterator: 'i1' };
    if (command === 'GetRecordsCommand') return { Records: [change('300', 'message#m')] };
    return {};
  };
  const read = createChangeReader(
    answering(new DynamoDBClient(anyAccount), answer),
    answering(new DynamoDBStreamsClient(anyAccount), answer),
    'history',
    () => 'id',
    async () => {},
  );
  const inputsOf = (command: string) => asked.flatMap(([name, input]) => (name === command ? [input] : []));
  return { read, inputsOf };
}

describe('a reader of the stream', () => {
  it('begins after the position, written with at least 21 digits, as DynamoDB expects it', async () => {
    const { read, inputsOf } = stream();
    await read(new Map([['s1', paddedSequence('299')]]));
    expect(inputsOf('GetShardIteratorCommand')).toMatchObject([
      { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: '299'.padStart(21, '0') },
    ]);
    const long = '4'.repeat(25);
    const other = stream();
    await other.read(new Map([['s1', paddedSequence(long)]]));
    expect(other.inputsOf('GetShardIteratorCommand')).toMatchObject([{ SequenceNumber: long }]);
  });

  it('begins at the start of the shard if the records after the position are dropped', async () => {
    const { read, inputsOf } = stream({ GetShardIteratorCommand: [named('TrimmedDataAccessException')] });
    expect(await read(new Map([['s1', paddedSequence('299')]]))).toMatchObject([{ key: 'message#m' }]);
    expect(inputsOf('GetShardIteratorCommand').map(({ ShardIteratorType }) => ShardIteratorType)).toEqual([
      'AFTER_SEQUENCE_NUMBER',
      'TRIM_HORIZON',
    ]);
  });

  it('fails with any other error, and removes its mark', async () => {
    const { read, inputsOf } = stream({ GetRecordsCommand: [named('InternalServerError')] });
    await expect(read(new Map())).rejects.toThrow('from DynamoDB');
    expect(inputsOf('DeleteItemCommand')).toMatchObject([{ Key: { pk: { S: 'insights#mark#id' } } }]);
  });
});
