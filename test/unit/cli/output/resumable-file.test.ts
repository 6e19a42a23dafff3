import {
  appendFileSync,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExportBatch } from '../../../../cli/stores/history-tables.ts';
import { assertProperty } from '../../../support/property.ts';
import { commandLine, type Parts, reply } from '../support/harness.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** How a run of the command ends. */
interface Ending {
  readonly kind: 'ctrl-c' | 'lost connection';
  /** After how many batches. */
  readonly after: number;
  /** What a process that is killed while it writes leaves behind the last whole batch. */
  readonly tail: string;
}

/**
 * A history in pages of batches.
 *
 * @param pages the number of entries of each batch of each page
 */
function history(pages: readonly (readonly number[])[], tableId = 'table') {
  let id = 0;
  const stored = pages.map((page) =>
    page.map((count) => Array.from({ length: count }, () => reply(`r-${++id}`, id, `text ${id}, "é"`))),
  );
  const keys = stored.flat(2).length;
  const size = { tableBytes: 0, indexBytes: 0, keys, tableId };

  /** Runs the command until its end, or as it is said. */
  return async function run(args: readonly string[], ending?: Ending, parts: Parts = {}) {
    let done = 0;
    async function* batches(_range: unknown, from = '0'): AsyncGenerator<ExportBatch, void> {
      for (const [page, lists] of [...stored.entries()].slice(Number(from)))
        for (const [index, replies] of lists.entries()) {
          if (ending?.kind === 'lost connection' && done === ending.after)
            throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
          const isLast = index === lists.length - 1 && page < stored.length - 1;
          yield {
            entries: replies.map((one) => ({ kind: 'reply', reply: one })),
            keys: replies.length,
            ...(isLast ? { next: String(page + 1) } : {}),
          };
          done += 1;
        }
    }
    const { sms } = commandLine({
      connection: { historyExport: async () => ({ size: async () => size, batches }) },
      wait: async () => ending?.kind !== 'ctrl-c' || done < ending.after,
      ...parts,
    });
    return sms('message', 'export', ...args);
  };
}

const directory = temporaryDirectory();
const path = join(directory, 'export');
const [part, sidecar] = [`${path}.part`, `${path}.part.json`];
const begin = ['--since', '2h', '--jsonl', '--out', path];
const resume = ['--out', path, '--resume'];
const lost: Ending = { kind: 'lost connection', after: 2, tail: '' };

function clean() {
  for (const file of [path, part, sidecar]) rmSync(file, { force: true });
}

describe('an interrupted export', () => {
  it('has every entry once, however often and wherever it is interrupted', async () => {
    const ending: fc.Arbitrary<Ending> = fc.record({
      kind: fc.constantFrom('ctrl-c', 'lost connection'),
      after: fc.nat(6),
      tail: fc.constantFrom('', '{"kind":"re', 'é', 'x'.repeat(5000)),
    });
    const page = fc.array(fc.nat(3), { minLength: 1, maxLength: 3 });
    const pages = fc.array(page, { minLength: 1, maxLength: 5 });
    await assertProperty(
      fc.asyncProperty(
        pages,
        fc.array(ending, { maxLength: 4 }),
        fc.constantFrom('--csv', '--jsonl'),
        async (stored, endings, format) => {
          clean();
          const run = history(stored);
          const whole = (await run(['--since', '2h', format])).out;
          let args = ['--since', '2h', format, '--out', path];
          for (const one of endings) {
            if ((await run(args, one)).code === 0) break;
            expect(existsSync(path)).toBe(false);
            appendFileSync(part, one.tail);
            args = resume;
          }
          if (!existsSync(path)) expect((await run(args)).code).toBe(0);
          expect(readFileSync(path, 'utf8')).toBe(whole);
          expect([part, sidecar].filter(existsSync)).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('says how to continue it, and keeps its files to its owner', async () => {
    clean();
    const run = history([[2], [2], [2]]);
    const { code, err } = await run(begin, lost);
    expect(code).toBe(1);
    expect(err).toContain(`To continue it: sms message export --out ${path} --resume\n`);
    expect([part, sidecar].map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
    expect((await run(begin)).err).toContain('is an interrupted export: --resume continues it.');
  });

  it('continues with its progress', async () => {
    clean();
    const run = history([[2], [2], [2]]);
    await run(begin, lost);
    let seconds = 0;
    const clock = () => 2000 * seconds++;
    const { err } = await run(resume, undefined, { clock, terminal: { isWatched: true } });
    expect(err).toBe(`Exporting: 6 of about 6 keys, 1.0 a second, 6 entries.\nWrote 6 entries to ${path}.\n`);
  });

  it.each<[problem: string, spoil: () => void]>([
    ['does not fit', () => truncateSync(part, 1)],
    ['does not fit', () => writeFileSync(sidecar, '{')],
    ['There is no interrupted export to continue', () => rmSync(sidecar)],
    ['There is no interrupted export to continue', () => rmSync(part)],
    ['overwrites nothing', () => writeFileSync(path, 'mine')],
  ])('is not continued where it would not be exact: %s', async (problem, spoil) => {
    clean();
    const run = history([[2], [2], [2]]);
    await run(begin, lost);
    spoil();
    const { code, err } = await run(resume);
    expect(code).toBe(1);
    expect(err).toContain(problem);
  });

  it('is not continued from another pipeline, nor with another range', async () => {
    clean();
    await history([[2], [2], [2]])(begin, lost);
    expect((await history([[2]], 'other')(resume)).err).toContain('is of another pipeline');
    const { code, err } = await history([[2]])([...resume, '--since', '1h']);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("'--resume' cannot be used with option '--since"),
    ]);
    expect((await history([[2]])(['--resume'])).err).toContain('--resume needs --out');
  });

  it('fails when another process writes the same file', async () => {
    clean();
    const run = history([[1], [1], [1]]);
    const { code, err } = await run(begin, undefined, {
      wait: async () => {
        appendFileSync(part, 'of another');
        return true;
      },
    });
    expect(code).toBe(1);
    expect(err).toContain(`Another process writes ${part}`);
  });
});
