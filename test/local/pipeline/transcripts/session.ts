import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { findTargetSources } from '../../../../cli/target/default-target.ts';
import { runSms } from '../../../../tools/support/sms-command.ts';
import { wordsOf } from '../../../support/doc-examples.ts';

const project = resolve(import.meta.dirname, '../../../..');

interface Result {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A folder in which command lines run as in a shell, and whose .smsrc names a pipeline. */
export interface Session {
  readonly folder: string;
  /** Runs one line. `npx sms` and lines with stdin run in a process of their own, `sms` in this process. */
  run(line: string): Promise<string>;
}

/**
 * @param directory the folder of the pipeline's outputs
 * @param clock of the commands that run in this process
 */
export function openSession(directory: string, clock: () => number): Session {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'transcript-')));
  writeFileSync(join(folder, '.smsrc'), `local:${directory}\n`);

  let ids = 0;
  const newId = () => `${String(++ids).padStart(8, '0')}-0000-4000-8000-000000000000`;

  async function inThisProcess(words: readonly string[]): Promise<Result> {
    const before = process.cwd();
    process.chdir(folder);
    try {
      return await runSms(words, {
        clock,
        newId,
        targetSources: () => findTargetSources(folder, project, {}),
        // A replay is followed to its end. A list that follows reads once.
        ...(words[0] === 'events' && { beginWaiting: () => () => delay(20, true) }),
      });
    } finally {
      process.chdir(before);
    }
  }

  async function inAProcess(words: readonly string[], input: string): Promise<Result> {
    const { PATH, TMPDIR } = process.env;
    const child = spawn(process.execPath, [join(project, 'bin/sms.ts'), ...words], {
      cwd: folder,
      env: { PATH, TMPDIR, TZ: 'UTC' },
    });
    child.stdin.end(input);
    const [out, err, [code]] = await Promise.all([
      readAll(child.stdout),
      readAll(child.stderr),
      once(child, 'exit') as Promise<[number | null]>,
    ]);
    return { code, out, err };
  }

  return {
    folder,
    async run(line) {
      const [, ...words] = wordsOf(line.replace(/^npx /, ''));
      const stdin =
        / < (\S+)/.exec(line)?.[1] ?? (line.startsWith('pbpaste |') ? 'new-secret.txt' : undefined);
      const input = stdin === undefined ? '' : readFileSync(join(folder, stdin), 'utf8');
      const isApart = line.startsWith('npx ') || stdin !== undefined;
      const { code, out, err } = await (isApart ? inAProcess(words, input) : inThisProcess(words));
      const file = / >>? (\S+)/.exec(line)?.[1];
      if (file !== undefined) writeFileSync(join(folder, file.replace(/^~.*\//, '')), out);
      return [
        ...gutter(file === undefined ? '|' : '>', out, file === undefined ? undefined : maxFileLines),
        ...gutter('!', err),
        ...(code === 0 ? [] : [`[exit ${code}]`]),
      ].join('\n');
    },
  };
}

/** Of a longer file a transcript has the beginning and the number of lines. */
const maxFileLines = 20;

function gutter(mark: string, text: string, maxLines = Number.POSITIVE_INFINITY): string[] {
  if (text === '') return [];
  const lines = text.replace(/\n$/, '').split('\n');
  const shown = lines.length > maxLines ? [...lines.slice(0, 3), `... ${lines.length} lines`] : lines;
  return shown.map((line) => `${mark} ${line}`.trimEnd());
}
