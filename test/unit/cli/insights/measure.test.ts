import { describe, expect, it } from 'vitest';
import { measure } from '../../../../cli/insights/measure.ts';
import type { RecountSources } from '../../../../cli/stores/recount-sources.ts';
import { type Item, messageKey } from '../../../../functions/history/item-keys.ts';
import { messageItem } from '../../../../functions/history/message-item.ts';
import { replyItem } from '../../../../functions/history/reply-item.ts';
import type { CounterKey } from '../../../../functions/insights/counters/cohort.ts';
import type { Positions } from '../../../../functions/insights/counters/recount.ts';
import { keywordOf } from '../../../../tools/support/keywords.ts';
import { replied, report } from '../../../support/suites/reports.ts';
import { fakeRecount } from '../support/recount.ts';

const noon = Date.UTC(2026, 0, 15, 12);
const hourMs = 3_600_000;
const settings = { retentionDays: 400, listShards: 2 };
const version = '1';
const expiresAt = noon / 1000 + 400 * 86_400;
const own = { sendId: 'send-1', phone: '+12025550143' };

const message = (id: string, status: 'sent' | 'delivered' = 'sent') =>
  messageItem(report(id, 'e', status, 0, own), version, expiresAt, settings);
const reply = (id: string, messageId: string) =>
  replyItem(replied(id, 'e', 60, { messageId }), version, expiresAt, settings);

const measured = (sources: RecountSources, clock = () => noon + hourMs) =>
  measure(sources, keywordOf, clock, () => {});

const sourcesOf = (items: readonly Item[], parts: Partial<RecountSources> = {}): RecountSources => ({
  ...fakeRecount([], [...items]).sources,
  ...parts,
});

describe('a measurement', () => {
  it('fails when it took longer than the stream keeps changes', async () => {
    const times = [noon, noon + 23 * hourMs];
    const late = () => times.shift() ?? noon + 24 * hourMs;
    await expect(measured(sourcesOf([message('m')]), late)).rejects.toThrow('The recount took 24 hours');
  });

  it('keeps changes that the stream has dropped since the first reading', async () => {
    const position = '1'.padStart(40, '0');
    const changed = { shardId: 'shard', position, key: messageKey('m'), isRemoval: false };
    const asked: (string | undefined)[] = [];
    const sources = sourcesOf([message('m')], {
      async changes(positions: Positions) {
        asked.push(positions.get('shard'));
        return asked.length > 1
          ? []
          : [{ ...changed, before: message('m'), after: message('m', 'delivered') }];
      },
    });
    const { differences } = await measured(sources);
    expect(asked).toEqual([undefined, position]);
    // The live function still counts the change: only the first state is missing.
    expect(differences.map(({ tally }) => tally)).toEqual([{ sent: 1 }, { sent: 1 }, { sent: 1 }]);
  });

  it('of a send reads only those replies that wait', async () => {
    const ids = Array.from({ length: 300 }, (_, index) => `m${index}`);
    const waiting = { pk: { S: 'waiting-replies#m7' }, sk: { S: 'figures' }, replies: { N: '1' } };
    const read: CounterKey[] = [];
    const sources = sourcesOf(
      ids.flatMap((id) => [message(id), reply(`r-${id}`, id)]),
      {
        async *counters() {
          yield [waiting];
        },
        async read(keys) {
          read.push(...keys);
          return new Map([['waiting-replies#m7 figures', waiting]]);
        },
      },
    );
    const { differences } = await measured(sources);
    expect(read.map(({ pk }) => pk)).toEqual([
      'send#send-1',
      'waiting-replies#m7',
      'quarter-hours#2026-01-15',
      'days#2026-01',
    ]);
    expect(differences[0]?.tally).toEqual({ sent: 300, replies: 299 });
  });

  it('leaves out a send of which an answered message was erased meanwhile', async () => {
    const removal = { shardId: 'shard', position: '1', key: messageKey('m'), isRemoval: true };
    const sources = sourcesOf([message('m'), reply('r', 'm')], {
      changes: async () => [{ ...removal, before: message('m'), after: undefined }],
    });
    expect(await measured(sources)).toMatchObject({ disturbed: 1 });
  });

  it('of an empty table compares what the deployed settings keep', async () => {
    const retention = { retentionDays: 30, hourRetentionDays: 10 };
    const comparedAfter = async (days: number) => {
      const now = () => noon + days * 24 * hourMs;
      return (await measured(sourcesOf([message('m')], { retention }), now)).compared;
    };
    expect([await comparedAfter(5), await comparedAfter(20), await comparedAfter(40)]).toEqual([3, 2, 0]);
  });
});
