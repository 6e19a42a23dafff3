import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../cli/support/temporary-directory.ts';
import { type FuzzedEntry, hunt } from './fuzz.ts';

const sum: FuzzedEntry<readonly number[]> = {
  inputs: fc.array(fc.nat(1000)),
  attempt(numbers) {
    const total = numbers.reduce((a, b) => a + b, 0);
    if (total >= 2000) throw new RangeError(`the sum is too large\nat line 1`);
    return total === 0 ? 'nothing' : 'something';
  },
};

const newFile = () => join(temporaryDirectory(), 'finds', 'sum.json');

it('keeps the shrunken input that breaks an entry, and says where', async () => {
  const finds = newFile();
  await expect(hunt(sum, { finds, runs: 1000, seed: 1 })).rejects.toThrow(
    /RangeError: the sum is too large\nIts shrunken input is find 1 of \S*sum\.json, which each run tries first/,
  );
  const [find, ...others] = JSON.parse(readFileSync(finds, 'utf8'));
  expect(others).toEqual([]);
  expect(find).toEqual({ broke: 'RangeError: the sum is too large', input: expect.any(Array) });
  expect(find.input.reduce((a: number, b: number) => a + b, 0)).toBe(2000);
});

it('tries the finds that it keeps before all others, and adds none that is kept', async () => {
  const finds = newFile();
  await expect(hunt(sum, { finds, runs: 1000, seed: 1 })).rejects.toThrow('attempt ');
  const kept = readFileSync(finds, 'utf8');
  await expect(hunt(sum, { finds, runs: 1, seed: 1 })).rejects.toThrow(
    /^find 1 of \S*sum\.json breaks it again/,
  );
  expect(readFileSync(finds, 'utf8')).toBe(kept);

  const tried: unknown[] = [];
  const fixed: typeof sum = {
    ...sum,
    attempt(numbers) {
      tried.push(numbers);
      return 'fixed';
    },
  };
  expect([...(await hunt(fixed, { finds, runs: 5, seed: 1 }))]).toEqual(['fixed']);
  expect(tried).toHaveLength(6);
  expect(tried[0]).toEqual(JSON.parse(kept)[0].input);
});

it('returns what became of the inputs, and writes nothing for an entry that holds', async () => {
  const finds = newFile();
  const seen = await hunt({ ...sum, inputs: fc.array(fc.nat(10)) }, { finds, runs: 100, seed: 1 });
  expect([...seen].sort()).toEqual(['nothing', 'something']);
  expect([existsSync(finds), existsSync(`${finds}.pending`)]).toEqual([false, false]);
});

it('keeps the input during which the process ended', async () => {
  const finds = newFile();
  const other: FuzzedEntry<readonly number[]> = {
    ...sum,
    attempt: () => readFileSync(`${finds}.pending`, 'utf8'),
  };
  const [tried = ''] = await hunt(other, { finds, runs: 1, seed: 1 });
  // As a process leaves it that ends here.
  writeFileSync(`${finds}.pending`, tried);
  await hunt(other, { finds, runs: 1, seed: 1 });
  const [find] = JSON.parse(readFileSync(finds, 'utf8'));
  expect(find).toEqual({ broke: 'the process ended or hung, or was stopped', input: JSON.parse(tried) });
});

it.each<[string, () => void, string]>([
  ['takes too long', () => burn(60), 'ms of CPU'],
  [
    'changes a prototype',
    () => void Object.assign(Object.prototype, { polluted: 1 }),
    'a prototype was polluted',
  ],
])('notices an attempt that %s', async (_, act, broke) => {
  const attempt = () => {
    act();
    return 'done';
  };
  const entry: FuzzedEntry<boolean> = { inputs: fc.constant(true), attempt };
  try {
    await expect(hunt({ ...entry, maxCpuMs: 50 }, { finds: newFile(), runs: 1, seed: 1 })).rejects.toThrow(
      broke,
    );
  } finally {
    Reflect.deleteProperty(Object.prototype, 'polluted');
  }
});

/** Uses the CPU. @param ms how long */
function burn(ms: number): void {
  const before = process.threadCpuUsage();
  for (let used = 0; used < ms * 1000; ) {
    const { user, system } = process.threadCpuUsage(before);
    used = user + system;
  }
}
