import type { DynamoDBStreamEvent } from 'aws-lambda';
import { expect, it, onTestFinished } from 'vitest';
import {
  type StreamMappingOptions,
  startStreamMapping,
} from '../../../../../../local/services/lambda/event-sources/stream-mapping.ts';
import { until } from '../../../../../../tools/support/until.ts';
import { createFakeShard } from './fake-shard.ts';

/** Maps a shard to a function that takes all it gets. */
function map(records: readonly string[], options: Partial<StreamMappingOptions> = {}) {
  const shard = createFakeShard(...records);
  const delivered: string[] = [];
  const notes: string[] = [];
  const start = () => {
    const mapping = startStreamMapping({
      client: shard.client,
      streamArn: 'stream-arn',
      functionArn: 'function-arn',
      startingPosition: 'TRIM_HORIZON',
      batchSize: 10,
      windowSeconds: 0,
      tumblingWindowSeconds: 0,
      parallelizationFactor: 1,
      maximumRetryAttempts: -1,
      maximumRecordAgeSeconds: -1,
      bisectsOnError: false,
      reportsItemFailures: true,
      now: () => 0,
      accepts: () => true,
      async invoke(event) {
        const { Records } = event as DynamoDBStreamEvent;
        delivered.push(...Records.map(({ dynamodb }) => dynamodb?.SequenceNumber ?? ''));
        return { kind: 'ok', value: null };
      },
      sendFailure: async () => {},
      onTrouble: (message) => notes.push(message),
      ...options,
    });
    onTestFinished(() => mapping.stop());
  };
  return { shard, delivered, notes, start };
}

it('a mapping loses no record that is written while its iterator expires before the first record', async () => {
  const { shard, delivered, notes, start } = map(['1', '2'], { startingPosition: 'LATEST' });
  // Written when the mapping has found the end, and then no iterator is accepted any more.
  shard.onRead((read) => {
    if (read === 3) {
      shard.write('3', '4');
      shard.expireIterators();
    }
    if (read === 5) shard.write('5');
  });
  start();
  await until('the last has come', () => delivered.includes('5'));
  expect(delivered).toEqual(['3', '4', '5']);
  expect(notes).toEqual([]);
});

it('a mapping does not repeat records before one that cannot be delivered', async () => {
  let failures = 0;
  const { delivered, notes, start } = map(['1', '2', '3'], {
    accepts(record) {
      if (record.dynamodb?.SequenceNumber === '2' && failures < 2) {
        failures += 1;
        throw new Error('no');
      }
      return true;
    },
  });
  start();
  await until('all have come', () => delivered.includes('3'));
  expect(delivered).toEqual(['1', '2', '3']);
  expect(notes).toHaveLength(1);
});
