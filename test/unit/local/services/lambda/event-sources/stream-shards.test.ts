import type { Shard } from '@aws-sdk/client-dynamodb-streams';
import { describe, expect, it } from 'vitest';
import { ShardOrder } from '../../../../../../local/services/lambda/event-sources/stream-shards.ts';

function shard(ShardId: string, ParentShardId?: string, isClosed = false): Shard {
  return {
    ShardId,
    ...(ParentShardId !== undefined && { ParentShardId }),
    SequenceNumberRange: {
      StartingSequenceNumber: '1',
      ...(isClosed && { EndingSequenceNumber: '9' }),
    },
  };
}

const idsOf = (found: readonly { readonly shardId: string }[]) => found.map(({ shardId }) => shardId);

describe('the shards of a stream', () => {
  it('are read once each, a child after its parent', () => {
    const order = new ShardOrder('TRIM_HORIZON');
    const shards = [shard('child', 'parent'), shard('grandchild', 'child'), shard('parent', undefined, true)];
    expect(idsOf(order.readable(shards))).toEqual(['parent']);
    expect(idsOf(order.readable(shards))).toEqual([]);
    order.done('parent');
    expect(idsOf(order.readable(shards))).toEqual(['child']);
    order.done('child');
    expect(idsOf(order.readable(shards))).toEqual(['grandchild']);
  });

  it('are read when their parent is no longer listed', () => {
    expect(idsOf(new ShardOrder('TRIM_HORIZON').readable([shard('child', 'trimmed')]))).toEqual(['child']);
  });

  it('are read from now at the start, and from their beginning when they appear later', () => {
    const order = new ShardOrder('LATEST');
    const first = [shard('closed', undefined, true), shard('open', 'closed')];
    expect(order.readable(first)).toEqual([{ shardId: 'open', from: 'LATEST' }]);
    order.done('open');
    expect(order.readable([...first, shard('next', 'open')])).toEqual([
      { shardId: 'next', from: 'TRIM_HORIZON' },
    ]);
  });
});
