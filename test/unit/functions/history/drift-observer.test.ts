import { describe, expect, it } from 'vitest';
import {
  type DetectedMismatch,
  maxMismatchesOfSource,
  mismatchId,
  type NotedMismatch,
} from '../../../../contract/drift/drift-watch.ts';
import { deadlineAt } from '../../../../functions/base/basics.ts';
import { createDriftObserver } from '../../../../functions/history/drift-store.ts';
import { recorder } from '../../../support/recorder.ts';

const word = (name: string): DetectedMismatch => ({
  kind: 'status',
  field: 'statuses',
  expected: 'a listed word',
  found: 'string',
  word: name,
  shape: () => '{"status":"string"}',
});
const mismatches = (...words: string[]) => words.map(word);
const noLimit = deadlineAt(1, () => 0);

function instance(fail: (mismatch: NotedMismatch) => Promise<void> = async () => {}) {
  const time = { now: Date.parse('2026-01-15T12:00:00.000Z') };
  const noted: NotedMismatch[] = [];
  const note = async (mismatch: NotedMismatch) => {
    await fail(mismatch);
    noted.push(mismatch);
  };
  const { log, count, ...recorded } = recorder();
  const counted: number[] = [];
  const register = {
    note,
    count: async (_day: string, events: ReadonlyMap<string, number>) => {
      counted.push([...events.values()].reduce((sum, one) => sum + one, 0));
    },
  };
  const observe = createDriftObserver(register, () => time.now, log, count);
  return { time, noted, counted, observe, ...recorded };
}

it('the drift observer records a mismatch once a day, and counts each occurrence', async () => {
  const { observe, noted, lines, counts, time } = instance();
  await observe(mismatches('held', 'held', 'gone'), noLimit);
  await observe(mismatches('held'), noLimit);
  const [held] = noted;
  expect(noted.map((one) => one.word)).toEqual(['held', 'gone']);
  expect(held).toEqual({
    kind: 'status',
    field: 'statuses',
    expected: 'a listed word',
    found: 'string',
    word: 'held',
    shape: '{"status":"string"}',
    foundAt: '2026-01-15T12:00:00.000Z',
  });
  expect(lines).toEqual([
    { name: 'CONTRACT_DRIFTED', fields: { occurrences: 3, mismatches: 2, fields: 'statuses' } },
  ]);
  expect(counts.get('contractDrift')).toBe(4);
  time.now += 86_400_000;
  await observe(mismatches('held'), noLimit);
  expect(noted).toHaveLength(3);
});

it('the drift observer counts a new mismatch at once, also within a minute after another count', async () => {
  const { observe, counted } = instance();
  await observe(mismatches('held'), noLimit);
  await observe(mismatches('gone'), noLimit);
  expect(counted).toEqual([1, 1]);
});

it('the drift observer adds up how many events showed a mismatch, with at most one write a minute', async () => {
  const { observe, counted, time } = instance();
  await observe(mismatches('held', 'held', 'gone'), noLimit);
  await observe(mismatches('held'), noLimit);
  expect(counted).toEqual([3]);
  time.now += 60_000;
  await observe(mismatches('held'), noLimit);
  expect(counted).toEqual([3, 2]);
});

it.each([
  ['phone number', 'unreadNumbers'],
  ['time with a zone', 'unreadTimes'],
  ['decimal number with a currency', 'unreadOthers'],
] as const)('the drift observer counts each %s that was kept as received', async (expected, metric) => {
  const { observe, counts } = instance();
  const unread = { kind: 'unread', field: 'f', expected, found: 'missing', shape: () => '{}' } as const;
  await observe([unread, unread], noLimit);
  expect(counts.get(metric)).toBe(2);
});

it('the drift observer records ten mismatches a batch, and none once the day is full', async () => {
  const { observe, noted, lines, counts } = instance();
  const words = Array.from(
    { length: maxMismatchesOfSource + 2 },
    (_, n) => `word-${String(n).padStart(2, '0')}`,
  );
  const sizes: number[] = [];
  for (let batch = 0; batch < 7; batch++) {
    await observe(mismatches(...words), noLimit);
    sizes.push(noted.length);
  }
  expect(sizes).toEqual([10, 20, 30, 40, 50, 50, 50]);
  expect(lines).toHaveLength(5);
  expect(counts.get('contractDrift')).toBe(7 * words.length);
});

describe('a failed write of a mismatch', () => {
  it('is logged by the name of its error alone, and retried after a minute', async () => {
    let isDown = true;
    let tries = 0;
    const { observe, noted, lines, counts, time } = instance(async () => {
      tries += 1;
      if (isDown) throw Object.assign(new Error('+12025550143'), { name: 'TimeoutError' });
    });
    await observe(mismatches('held'), noLimit);
    expect(noted).toEqual([]);
    expect(lines.at(-1)).toEqual({ name: 'DRIFT_NOT_NOTED', fields: { error: 'TimeoutError' } });
    isDown = false;
    time.now += 59_999;
    await observe(mismatches('held'), noLimit);
    expect([tries, noted, counts.get('contractDrift')]).toEqual([1, [], 2]);
    time.now += 1;
    await observe(mismatches('held'), noLimit);
    expect(noted).toHaveLength(1);
  });

  it('is different from a passed deadline: a later batch records the rest', async () => {
    const { observe, noted } = instance();
    await observe(
      mismatches('held', 'gone'),
      deadlineAt(1, () => noted.length),
    );
    expect(noted.map((one) => one.word)).toEqual(['held']);
    await observe(mismatches('held', 'gone'), noLimit);
    expect(noted.map((one) => one.word)).toEqual(['held', 'gone']);
  });
});

it('mismatches of another source are their own, and name it', async () => {
  const found = async (source: string) => {
    const noted: NotedMismatch[] = [];
    const { log, count } = recorder();
    const note = async (one: NotedMismatch) => void noted.push(one);
    const register = { note, count: async () => {} };
    const observe = createDriftObserver(register, () => Date.UTC(2026, 0, 15), log, count, source);
    const mismatch = { kind: 'status', field: 'statuses', expected: 'a word', found: 'string' } as const;
    await observe(
      [{ ...mismatch, shape: () => '{}' }],
      deadlineAt(1, () => 0),
    );
    return noted;
  };
  const [[ofMain], [ofBackup]] = [await found('main'), await found('backup')];
  expect(ofMain).not.toHaveProperty('source');
  expect(ofBackup?.source).toBe('backup');
  expect(ofMain && mismatchId(ofMain)).not.toBe(ofBackup && mismatchId(ofBackup));
});
