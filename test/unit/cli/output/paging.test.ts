import { describe, expect, it } from 'vitest';
import { toJson } from '../../../../cli/text/sanitize.ts';
import { CursorError, encodeCursor } from '../../../../functions/history/lists/cursor.ts';
import type { Page } from '../../../../functions/history/lists/time-range.ts';
import type { Reply } from '../../../../functions/history/message.ts';
import { viewReply } from '../../../../functions/query/api/views/views.ts';
import { commandLine, noonPlus, type Parts, reply } from '../support/harness.ts';
import { type Asked, listsOf } from '../support/lists.ts';

/** 250 replies of the last minutes, the newest first in order of their ids. */
const replies = Array.from({ length: 250 }, (_, number) => reply(`r-${number}`, -number, 'Yes'));

function listing(parts: Parts = {}) {
  const asked: Asked[] = [];
  const { sms } = commandLine({
    ...parts,
    connection: { history: async () => ({ message: async () => undefined, ...listsOf({ replies }, asked) }) },
  });
  return { asked, sms: (...options: string[]) => sms('reply', 'list', ...options) };
}

const idsOf = (json: string): string[] =>
  JSON.parse(json).entries.map(({ replyId }: { replyId: string }) => replyId);
/** The cursor after so many replies. */
function cursorAfter(count: number): string {
  const last = replies[count - 1];
  return encodeCursor({ at: last?.current.occurredAt ?? '', partition: 0, key: last?.replyId ?? null }, [
    'replies',
  ]);
}
const ids = (from: number, to: number) => replies.slice(from, to).map(({ replyId }) => replyId);

describe('a list', () => {
  it('shows 20 entries by default, and how to continue', async () => {
    const { sms } = listing();
    const { next } = JSON.parse((await sms('--json')).out);
    expect(next).toBe(cursorAfter(20));
    expect((await sms()).out).toContain(
      `There is more: the same command with --since 2026-01-14T12:00:00.000Z --cursor ${cursorAfter(20)}\n`,
    );
  });

  it('is read page by page up to the limit', async () => {
    const { sms, asked } = listing();
    const { out } = await sms('--limit', '230', '--json');
    expect(idsOf(out)).toEqual(ids(0, 230));
    expect(JSON.parse(out).next).toBe(cursorAfter(230));
    expect(asked).toMatchObject([
      { limit: 100 },
      { limit: 100, cursor: cursorAfter(100) },
      { limit: 30, cursor: cursorAfter(200) },
    ]);
    expect(new Set(asked.map(({ since, until }) => `${since} ${until}`)).size).toBe(1);
  });

  it('is complete with --all, also from a cursor', async () => {
    const { sms } = listing();
    expect(idsOf((await sms('--all', '--json')).out)).toEqual(ids(0, 250));
    expect(idsOf((await sms('--all', '--cursor', cursorAfter(7), '--json')).out)).toEqual(ids(7, 250));
  });

  it('writes one CSV of all pages, and the hint about more to stderr', async () => {
    const { sms } = listing();
    const { out, err } = await sms('--limit', '150', '--csv');
    const lines = out.split('\r\n');
    expect(lines[0]).toBe(
      'replyId,messageId,from,to,text,occurredAt,receivedAt,channel,media,partsReceived,partsTotal,timeIs',
    );
    expect(lines.slice(1, -1).map((line) => line.split(',')[0])).toEqual(ids(0, 150));
    expect(err).toBe(
      `There is more: the same command with --since 2026-01-14T12:00:00.000Z --cursor ${cursorAfter(150)}\n`,
    );
    const whole = await sms('--all', '--csv');
    expect([whole.out.split('\r\n').length, whole.err]).toEqual([252, '']);
  });

  it('is written as JSON page by page, identical to one document', async () => {
    const parts: string[] = [];
    const { sms } = listing({ terminal: { out: (text) => void parts.push(text) } });
    await sms('--all', '--json');
    expect(parts).toHaveLength(4);
    const document = { entries: replies.map(viewReply), next: null };
    expect(parts.join('')).toBe(`${toJson(document)}\n`);
    parts.length = 0;
    await sms('--until', '2026-01-14', '--json');
    expect(parts.join('')).toBe(`${toJson({ entries: [], next: null })}\n`);
  });

  it.each([['--json'], ['--csv']])('is read no further after stdout is closed: %s', async (format) => {
    let isClosed = false;
    const { sms, asked } = listing({
      terminal: {
        out: () => {
          isClosed = true;
        },
        closed: () => isClosed,
      },
    });
    expect(await sms('--all', format)).toMatchObject({ code: 0, err: '' });
    expect(asked).toHaveLength(1);
  });

  it('shows the progress on a terminal', async () => {
    let seconds = 0;
    const clock = () => Date.parse(noonPlus(1500 * seconds++));
    const listed = await listing({ clock, terminal: { isWatched: true } }).sms('--all', '--since', '1w');
    expect(listed.err).toBe('Reading: 200 entries, 67 a second, as far as 2026-01-15.\n');
    expect(listed.out).not.toContain('Reading');
    expect((await listing({ clock }).sms('--all', '--since', '1w')).err).toBe('');
  });

  it('continues after empty pages', async () => {
    const pages: Page<Reply>[] = [
      { entries: [], next: 'a' },
      { entries: replies.slice(0, 1), next: 'b' },
      { entries: [], next: 'c' },
      { entries: replies.slice(1, 2), next: 'd' },
    ];
    const lists = { ...listsOf({}), replies: async () => pages.shift() ?? { entries: [] } };
    const history = async () => ({ message: async () => undefined, ...lists });
    const { sms } = commandLine({ connection: { history } });
    const { out } = await sms('reply', 'list', '--limit', '2', '--json');
    expect([idsOf(out), JSON.parse(out).next]).toEqual([['r-0', 'r-1'], 'd']);
  });

  it.each([['--json'], ['--csv'], ['--reveal']])(
    'refuses a cursor of another list with exit code 2: %s',
    async (format) => {
      const { code, err } = await listing().sms('--cursor', 'failed.20', format);
      expect(code).toBe(2);
      expect(err).toContain(`error: --cursor: ${new CursorError().message}.\n`);
    },
  );
});
