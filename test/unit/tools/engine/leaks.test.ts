import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findLeaks, outputOf } from '../../../../tools/engine/leaks.ts';

describe('looking for secrets in output', () => {
  const secret = 'ab+c/d==';
  it.each(['x ab+c/d== y', 'url=ab%2Bc%2Fd%3D%3D', 'url=ab%2bc%2fd%3d%3d'])('finds one in %s', (text) => {
    expect(findLeaks(new Map([['a log', text]]), [secret])).toEqual(['a log']);
  });

  it('finds none where there is none', () => {
    expect(findLeaks(new Map([['a log', 'ab c d']]), [secret])).toEqual([]);
  });
});

describe('the output of a run', () => {
  function run(logs: Readonly<Record<string, string>>): () => Map<string, string> {
    const directory = mkdtempSync(join(tmpdir(), 'leaks-'));
    mkdirSync(join(directory, 'logs'));
    for (const [name, text] of Object.entries(logs)) writeFileSync(join(directory, 'logs', name), text);
    return () => outputOf({ directory, printed: () => 'ready' }, ['setup', 'ingest', 'worker']);
  }
  const logs: Readonly<Record<string, string>> = {
    'ingest.log': 'a',
    'setup.log': 'b',
    'worker.log': 'c',
    'dynamodb.log': '',
  };

  it('is every log, and what was printed', () => {
    expect(Object.fromEntries(run(logs)())).toEqual({ ...logs, 'npm start': 'ready' });
  });

  it.each(['ingest', 'setup', 'worker'])('cannot be judged when %s has logged nothing', (part) => {
    const { [`${part}.log`]: _, ...others } = logs;
    expect(run({ ...others, [`${part}.log`]: '\n' })).toThrow(`no log of ${part}`);
    expect(run(others)).toThrow(`no log of ${part}`);
  });
});
