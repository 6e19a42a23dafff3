import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { joinCopy } from '../../../../cli/copies/join-copy.ts';
import type { JoinOptions } from '../../../../cli/copies/join-page.ts';
import { readParts } from '../../../../cli/copies/read-parts.ts';
import type { ItemPage } from '../../../../cli/stores/history-items.ts';
import type { Item } from '../../../../functions/history/item-keys.ts';
import { messageItem } from '../../../../functions/history/message-item.ts';
import { joinStatements } from '../../../../functions/history/opt-out/opt-out.ts';
import { optOutItem } from '../../../../functions/history/opt-out/opt-out-item.ts';
import { idMaskKeyPrefix } from '../../../../functions/query/api/id-mask-key-store.ts';
import { idMaskKeyBytes } from '../../../../functions/query/api/masked-ids.ts';
import { at, report } from '../../../support/suites/reports.ts';
import { playAnotherUser } from '../support/other-user.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const directory = temporaryDirectory();
const rules = {
  retentionDays: 10,
  listShards: 1,
  optOutsBySource: false,
  prefersCopy: false,
  isQuiet: true,
};
const messageOfId = (id: string): Item =>
  messageItem(report(id, 'e', 'delivered', 1), 'g', 1_900_000_000, rules);

/** An empty history in memory, and what was written to it. */
function emptyHistory(now = at(60)) {
  const written: string[] = [];
  const here = {
    read: async () => new Map(),
    readQuarantine: async () => [],
    put: async (_table: string, { Item }: { Item: Item }) => {
      written.push(Item.pk?.S ?? '');
      return { kind: 'written' };
    },
  } as unknown as JoinOptions['here'];
  const erased = { until: () => undefined, mentionedIn: () => false, unknown: [], running: [], ids: [] };
  const options: JoinOptions = {
    here,
    rules,
    erased,
    range: {},
    now: Date.parse(now) / 1000,
    isDryRun: false,
    newGeneration: () => 'new',
  };
  return { options, written };
}

/** A copy whose parts have pages of one item. */
function copyOf(identity: string, parts: Readonly<Record<string, readonly Item[]>>) {
  const read: string[] = [];
  const copy = {
    identity,
    tableIds: [],
    total: undefined,
    parts: Object.keys(parts),
    async *pages(part: string, from = '0'): AsyncGenerator<ItemPage, void> {
      const items = parts[part] ?? [];
      for (const [index, item] of items.entries()) {
        if (index < Number(from)) continue;
        read.push(item.pk?.S ?? '');
        yield { items: [item], ...(index + 1 < items.length && { next: String(index + 1) }) };
      }
    },
  };
  return { copy, read };
}

describe('a join that was interrupted', () => {
  const parts = { one: ['a', 'b', 'c', 'd', 'e'].map(messageOfId), two: [messageOfId('f')] };

  it('does not continue by the progress of another user, who could leave items out', async () => {
    const progressPath = join(directory, 'of-another.json');
    const { options } = emptyHistory();
    const { copy } = copyOf('copy', parts);
    const run = { copy, options, progressPath, identity: '', onPage: async () => false };
    expect((await joinCopy(run)).kind).toBe('interrupted');
    playAnotherUser(progressPath);
    await expect(joinCopy(run)).rejects.toThrow(`${progressPath} belongs to another user`);
  });

  it('continues after the last page of each part, and reads no part again that is done', async () => {
    const progressPath = join(directory, 'progress.json');
    const { options, written } = emptyHistory();
    const first = copyOf('copy', parts);
    const run = { copy: first.copy, options, progressPath, identity: 'here' };
    let pages = 0;
    const begun = await joinCopy({ ...run, onPage: async () => ++pages < 2 });
    expect(begun.kind).toBe('interrupted');
    const second = copyOf('copy', parts);
    const ended = await joinCopy({ ...run, copy: second.copy, onPage: async () => true });
    expect(ended).toMatchObject({ kind: 'done', isResumed: true, tally: { items: 6, written: 6 } });
    expect(first.read).toContain('message#f');
    expect(second.read).not.toContain('message#f');
    expect(second.read).not.toContain('message#a');
    expect(written.sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f'].map((id) => `message#${id}`));
  });

  it('begins from the start if the copy is another one', async () => {
    const progressPath = join(directory, 'other.json');
    const { options } = emptyHistory();
    const run = { options, progressPath, identity: 'here' };
    await joinCopy({ ...run, copy: copyOf('copy', parts).copy, onPage: async () => false });
    const other = await joinCopy({ ...run, copy: copyOf('another', parts).copy, onPage: async () => true });
    expect(other).toMatchObject({ kind: 'done', isResumed: false, tally: { items: 6 } });
  });
});

it('a join leaves out the key of masked ids, which each pipeline makes for itself', async () => {
  const { options, written } = emptyHistory();
  const key: Item = { pk: { S: `${idMaskKeyPrefix}key` }, key: { B: new Uint8Array(idMaskKeyBytes) } };
  const { copy } = copyOf('copy', { one: [key, messageOfId('a')] });
  const run = { copy, options, progressPath: undefined, identity: '', onPage: async () => true };
  expect((await joinCopy(run)).tally).toMatchObject({ items: 1, others: 1, written: 1 });
  expect(written).toEqual(['message#a']);
});

it('a join brings back an opt-out however old it is, and no message that is older than the retention', async () => {
  const { options, written } = emptyHistory(at(11 * 86_400));
  const said = { phone: '+12025550143', state: 'out', at: at(1), by: 'person', replyId: 'r' } as const;
  const byHand = {
    phone: said.phone,
    state: 'out',
    at: at(2),
    by: 'operator',
    entryId: 'e',
    reason: 'called',
    recordedBy: 'assumed-role/Support/ann',
  } as const;
  const optOut = optOutItem(joinStatements([], [said, byHand]), rules);
  const { copy } = copyOf('copy', { one: [messageOfId('a'), optOut] });
  const run = { copy, options, progressPath: undefined, identity: '', onPage: async () => true };
  expect((await joinCopy(run)).tally.counts).toEqual({ message: { expired: 1 }, 'opt-out': { added: 1 } });
  expect(written).toEqual([optOut.pk?.S]);
});

it('if one part cannot be read, the others end after the page at hand', async () => {
  const taken: string[] = [];
  async function* pages(part: string): AsyncGenerator<ItemPage, void> {
    if (part === 'broken') throw new Error('cannot be read');
    for (;;) yield { items: [] };
  }
  const take = async (part: string) => {
    taken.push(part);
    if (taken.length > 100) throw new Error('the other part does not end');
    return true;
  };
  await expect(readParts(['broken', 'whole'], pages, take)).rejects.toThrow('cannot be read');
  expect(taken.length).toBeLessThan(5);
});

it('an item that is too large for DynamoDB is named, and the others are joined', async () => {
  const { options, written } = emptyHistory();
  const put: JoinOptions['here']['put'] = (table, write) =>
    write.Item.pk?.S === 'message#a' ? Promise.resolve({ kind: 'refused' }) : options.here.put(table, write);
  const { copy } = copyOf('copy', { one: ['a', 'b'].map(messageOfId) });
  const { tally } = await joinCopy({
    copy,
    options: { ...options, here: { ...options.here, put } },
    progressPath: undefined,
    identity: '',
    onPage: async () => true,
  });
  expect(tally.counts).toEqual({ message: { 'too-large': 1, added: 1 } });
  expect(tally.named).toContainEqual({ kind: 'message', key: 'message#a', outcome: 'too-large' });
  expect(written).toEqual(['message#b']);
});
