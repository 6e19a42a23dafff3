import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { followList } from '../../../../cli/output/follow.ts';
import type { Reply } from '../../../../functions/history/message.ts';
import { assertProperty } from '../../../support/property.ts';
import { commandLine, noonPlus, reply } from '../support/harness.ts';
import { type Asked, listsOf } from '../support/lists.ts';

/** Replies as they show up in the list: with the first look, the second one, and so on; a look comes every 2 s. */
function following(looks: readonly (readonly Reply[])[]) {
  const asked: Asked[] = [];
  let look = 0;
  const pauses: number[] = [];
  const content = () => ({ replies: looks.slice(0, look + 1).flat() });
  const { sms } = commandLine({
    connection: { history: async () => ({ message: async () => undefined, ...listsOf(content, asked) }) },
    clock: () => Date.parse(noonPlus(look * 2000)),
    wait: async (milliseconds) => {
      pauses.push(milliseconds);
      look += 1;
      return look < looks.length;
    },
  });
  return { asked, pauses, sms: (...options: string[]) => sms('reply', 'list', '--follow', ...options) };
}

const idsOf = (lines: string): string[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).replyId);

describe('followList', () => {
  it('shows existing entries, oldest first, then new ones, with titles once', async () => {
    const { sms, pauses } = following([
      [reply('a', -20, 'one'), reply('b', -10, 'two')],
      [],
      [reply('d', 4, 'four'), reply('c', 3, 'three')],
    ]);
    const { code, out, err } = await sms();
    expect([code, err]).toEqual([0, '']);
    expect(out.split('\n')).toEqual([
      'SENT (America/Sao_Paulo)    FROM     ANSWERS  TEXT',
      '2026-01-15 08:59:40 -03:00  •••0143           one',
      '2026-01-15 08:59:50 -03:00  •••0143           two',
      '2026-01-15 09:00:03 -03:00  •••0143           three',
      '2026-01-15 09:00:04 -03:00  •••0143           four',
      '',
    ]);
    expect(pauses).toEqual([2000, 2000, 2000]);
  });

  it('writes one JSON document a line', async () => {
    const { out } = await following([[reply('a', -1, 'x\u2028\u001b[2J')], [reply('b', 1, 'y')]]).sms(
      '--json',
    );
    expect(idsOf(out)).toEqual(['a', 'b']);
    expect(out.split('\n')).toHaveLength(3);
    expect(out.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028]/u);
  });

  it('writes CSV with one header', async () => {
    const { out } = await following([[], [reply('a', 1, 'x')], [reply('b', 2, 'y')]]).sms('--csv');
    expect(out.split('\r\n').map((line) => line.split(',')[0])).toEqual(['replyId', 'a', 'b', '']);
  });

  const at = (seconds: Readonly<Record<string, number>>) =>
    Object.entries(seconds).map(([id, second]) => reply(id, second, 'x'));

  it.each([
    ['the newest entries first, and no older ones as new', [{ c: -3, b: -2, a: -1 }, {}, { n: 4 }], 'b,a,n'],
    ['entries that the index shows late', [{ a: -1 }, { c: 2 }, { b: 1, older: -20 }], 'a,c,older,b'],
    ['entries after one of a clock that is ahead', [{ ahead: 3600 }, { a: 1 }, {}, { b: 5 }], 'ahead,a,b'],
  ])('shows %s', async (_, looks: readonly Readonly<Record<string, number>>[], ids) => {
    const { out } = await following(looks.map(at)).sms('--limit', '2', '--json');
    expect(idsOf(out).join()).toBe(ids);
  });

  it('retries after a transient error with one warning, and misses no entry', async () => {
    const all = Array.from({ length: 150 }, (_, number) => reply(`r${number}`, 10 + number / 100, 'x'));
    let look = 0;
    const refused = Object.assign(new Error('refused'), { code: 'ECONNRESET' });
    const lists = listsOf(() => ({ replies: look === 0 ? [] : all }));
    const { sms } = commandLine({
      connection: {
        history: async () => ({
          message: async () => undefined,
          ...lists,
          // The third and fourth look fail with one page read; so does the sixth.
          replies: async (query, page) => {
            if ([2, 3, 5].includes(look) && page.cursor !== undefined) throw refused;
            return look === 1 ? { entries: [] } : lists.replies(query, page);
          },
        }),
      },
      clock: () => Date.parse(noonPlus(look * 2000)),
      wait: async () => {
        look += 1;
        return look < 8;
      },
    });
    const { code, out, err } = await sms('reply', 'list', '--follow', '--json');
    expect(code).toBe(0);
    expect(idsOf(out)).toEqual(all.map(({ replyId }) => replyId));
    expect(err).toBe(
      'warning: the network cannot be reached (ECONNRESET): check the network, the region and any proxy. Trying again.\n'.repeat(
        2,
      ),
    );
  });

  it('begins at --since, and then reads only the overlap again', async () => {
    const { sms, asked } = following([[reply('a', -3600, 'x'), reply('b', -60, 'x')], [], []]);
    expect(idsOf((await sms('--since', '5m', '--json')).out)).toEqual(['b']);
    expect(asked.map(({ since }) => since)).toEqual([-300_000, -90_000, -90_000].map(noonPlus));
  });

  it('yields every entry that is at most 30 s late, once', async () => {
    /** Entries by the second they show up in, and how much earlier they happened. */
    const arrivals = fc.array(
      fc.record({ second: fc.integer({ min: 0, max: 120 }), lateMs: fc.integer({ min: 0, max: 30_000 }) }),
      { maxLength: 60 },
    );
    await assertProperty(
      fc.asyncProperty(arrivals, fc.integer({ min: 1, max: 10 }), async (entries, limit) => {
        let second = 0;
        const listed = entries.map(({ second: shown, lateMs }, number) => ({
          id: `e${number}`,
          shown,
          at: noonPlus(shown * 1000 - lateMs),
        }));
        const seen: string[] = [];
        const parts = followList({
          read: async function* (since = '') {
            const page = listed.filter(({ at, shown }) => shown <= second && at >= since);
            yield { entries: page.sort((a, b) => (a.at < b.at ? 1 : -1)) };
          },
          format: { identify: ({ id }) => id, at: ({ at }) => at },
          since: undefined,
          limit,
          tolerate: (look) => look(),
          clock: () => Date.parse(noonPlus(second * 1000)),
          wait: async () => {
            second += 2;
            return second <= 122;
          },
        });
        for await (const part of parts) seen.push(...part.map(({ id }) => id));
        expect(new Set(seen).size).toBe(seen.length);
        const expected = listed.filter(({ shown }) => shown > 0).map(({ id }) => id);
        expect(seen).toEqual(expect.arrayContaining(expected));
        const first = listed.length - expected.length;
        expect(seen).toHaveLength(expected.length + Math.min(first, limit));
      }),
    );
  });
});
