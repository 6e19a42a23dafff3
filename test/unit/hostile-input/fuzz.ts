import assert from 'node:assert/strict';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { propertySeed } from '../../support/fixed-seed.ts';
import { assertPrototypesUntouched } from './watch.ts';

/** One input that broke an entry, as plain JSON. It is tried again before all others. */
interface Find {
  /** What went wrong. */
  readonly broke: string;
  readonly input: unknown;
}

/** What may reach an entry from outside, and what must hold for it. */
export interface FuzzedEntry<T> {
  /** Makes inputs that are plain JSON: bytes are base64, and nothing is undefined within a list. */
  readonly inputs: fc.Arbitrary<T>;
  /** @returns what became of the input, in a word @throws where something is broken */
  readonly attempt: (input: T) => string | Promise<string>;
  /** CPU time of one attempt, in milliseconds, where it takes longer than the others. */
  readonly maxCpuMs?: number;
}

interface Hunt {
  /** The file of JSON with the finds of the entry. Beside it, `.pending` has the input that is being tried. */
  readonly finds: string;
  readonly runs: number;
  readonly seed: number;
}

/** Attempts on one entry; the nightly run makes more. */
export const attempts = Number(process.env.PROPERTY_RUNS ?? 100);

/** So many attempts are repeated, at most, to see a find again. */
const chunk = 10_000;

/** Far more than any attempt takes. It does not count what other threads and processes use. */
const maxCpuOfAttempt = 2_000;

const findsFolder = join(import.meta.dirname, 'finds');
const projectFolder = join(import.meta.dirname, '../../..');

/**
 * Defines a test that attacks an entry: first with its kept finds, then with as many inputs as `PROPERTY_RUNS` says.
 * An input that breaks it is shrunk, and kept in the folder `finds`, to be committed with the fix.
 *
 * @param name of the entry, and of its file of finds: words with hyphens
 * @param reached outcomes that some of the inputs must have, so that the attack is known to come far enough
 * @param runs how many attempts, for an entry whose attempts take long
 */
export function fuzz<T>(
  name: string,
  entry: FuzzedEntry<T>,
  reached: readonly string[],
  runs = attempts,
): void {
  it(
    `hostile input does not break: ${name}`,
    async () => {
      const finds = join(findsFolder, `${name}.json`);
      const outcomes = await hunt(entry, { finds, runs, seed: propertySeed });
      expect([...outcomes]).toEqual(expect.arrayContaining([...reached]));
    },
    // The nightly run ends itself.
    Number.POSITIVE_INFINITY,
  );
}

/**
 * Attacks an entry.
 *
 * @returns the outcomes that were seen
 * @throws Error that names the input, and the file that keeps it
 */
export async function hunt<T>(
  entry: FuzzedEntry<T>,
  { finds, runs, seed }: Hunt,
): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  const pending = openPending(finds);
  const attempt = async (input: T) => {
    pending.write(input);
    seen.add(await tryOne(entry, input));
  };
  try {
    await attack(entry, { finds, runs, seed }, attempt);
  } finally {
    pending.remove();
  }
  return seen;
}

async function attack<T>(
  entry: FuzzedEntry<T>,
  { finds, runs, seed }: Hunt,
  attempt: (input: T) => Promise<void>,
): Promise<void> {
  for (const [index, { input }] of readFinds(finds).entries())
    try {
      await attempt(input as T);
    } catch (cause) {
      throw new Error(`find ${index + 1} of ${shown(finds)} breaks it again: ${reasonOf(cause)}`, { cause });
    }
  for (let made = 0; made < runs; made += chunk) {
    const { failed, counterexample, errorInstance, numRuns } = await fc.check(
      // What is kept is tried as it is read again.
      fc.asyncProperty(entry.inputs, (input) => attempt(plain(input))),
      { numRuns: Math.min(chunk, runs - made), seed: seed + made / chunk },
    );
    if (!failed) continue;
    const [input] = counterexample ?? [];
    const place = keep(finds, { broke: reasonOf(errorInstance), input: plain(input) });
    throw new Error(
      `attempt ${made + numRuns} broke it: ${reasonOf(errorInstance)}\nIts shrunken input is find ${place} of ${shown(finds)}, which each run tries first. Commit it with the fix.\n${JSON.stringify(input)?.slice(0, 2000)}`,
      { cause: errorInstance },
    );
  }
}

/** Keeps the input that is being tried in a file: a process that ends or hangs leaves it behind, and the next run has it as a find. */
function openPending(finds: string) {
  const path = `${finds}.pending`;
  mkdirSync(dirname(path), { recursive: true });
  const left = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (left !== '')
    keep(finds, { broke: 'the process ended or hung, or was stopped', input: JSON.parse(left) });
  const file = openSync(path, 'w');
  let length = 0;
  return {
    /** Blanks behind the JSON take the place of what was there: to truncate the file would take far longer than an attempt. */
    write(input: unknown): void {
      const bytes = Buffer.from(JSON.stringify(input));
      const blanks = Buffer.alloc(Math.max(0, length - bytes.length), ' ');
      length = Math.max(length, bytes.length);
      writeSync(file, Buffer.concat([bytes, blanks]), 0, length, 0);
    },
    remove(): void {
      closeSync(file);
      rmSync(path);
    },
  };
}

async function tryOne<T>({ attempt, maxCpuMs = maxCpuOfAttempt }: FuzzedEntry<T>, input: T): Promise<string> {
  const before = process.threadCpuUsage();
  const outcome = await attempt(input);
  const { user, system } = process.threadCpuUsage(before);
  const ms = Math.round((user + system) / 1000);
  assert(ms < maxCpuMs, `it took ${ms} ms of CPU`);
  assertPrototypesUntouched();
  return outcome;
}

function plain<T>(input: T): T {
  return JSON.parse(JSON.stringify(input));
}

function readFinds(path: string): readonly Find[] {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [];
}

/** @returns the number of the find, from 1 */
function keep(path: string, find: Find): number {
  const finds = [...readFinds(path), find];
  writeFileSync(path, `${JSON.stringify(finds, null, 2)}\n`);
  return finds.length;
}

const shown = (path: string) => relative(projectFolder, path);

/** The first line, which has no paths of this machine. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return (text.split('\n', 1)[0] ?? '').slice(0, 300);
}
