import { describe, expect, it } from 'vitest';
import {
  type DetectedMismatch,
  maxMismatchesPerDay,
  mismatchId,
  type NotedMismatch,
} from '../../../../contract/drift/drift-watch.ts';
import {
  type BatchDrift,
  createNoteDrift,
  gatherDrift,
} from '../../../../functions/contract-drift/drift-store.ts';
import { recorder } from '../../../../tools/support/recorder.ts';

const word = (name: string): DetectedMismatch => ({
  ...{ kind: 'status', field: 'statuses', expected: 'a listed word', found: 'string', word: name },
  shape: () => '{"status":"string"}',
});
const drift = (...words: string[]): BatchDrift => {
  const novelties = new Map<string, DetectedMismatch>();
  return { occurrences: gatherDrift(novelties, words.map(word)), novelties };
};
const always = () => true;

function instance(fail: (novelty: NotedMismatch) => Promise<void> = async () => {}) {
  const time = { now: Date.parse('2026-01-15T12:00:00.000Z') };
  const noted: NotedMismatch[] = [];
  const note = async (novelty: NotedMismatch) => {
    await fail(novelty);
    noted.push(novelty);
  };
  const { log, count, ...recorded } = recorder();
  return { time, noted, note: createNoteDrift({ note }, () => time.now, log, count), ...recorded };
}

it('is nothing where nothing is new', async () => {
  const { note, noted, lines, counts } = instance();
  await note(drift(), always);
  expect([noted, lines, [...counts]]).toEqual([[], [], []]);
});

it('is written down once a day, and counted each time', async () => {
  const { note, noted, lines, counts, time } = instance();
  await note(drift('held', 'held', 'gone'), always);
  await note(drift('held'), always);
  const [held] = noted;
  expect(noted.map((one) => one.word)).toEqual(['held', 'gone']);
  expect(held).toEqual({
    ...{ kind: 'status', field: 'statuses', expected: 'a listed word', found: 'string', word: 'held' },
    ...{ shape: '{"status":"string"}', foundAt: '2026-01-15T12:00:00.000Z' },
  });
  expect(lines).toEqual([
    { name: 'CONTRACT_DRIFTED', fields: { occurrences: 3, novelties: 2, fields: 'statuses' } },
  ]);
  expect(counts.get('contractDrift')).toBe(4);
  time.now += 86_400_000;
  await note(drift('held'), always);
  expect(noted).toHaveLength(3);
});

it('ends for the day where as many were tried as it has room for, a few a batch', async () => {
  const { note, noted, lines, counts } = instance();
  const words = Array.from(
    { length: maxMismatchesPerDay + 2 },
    (_, n) => `word-${String(n).padStart(2, '0')}`,
  );
  const sizes: number[] = [];
  for (let batch = 0; batch < 7; batch++) {
    await note(drift(...words), always);
    sizes.push(noted.length);
  }
  expect(sizes).toEqual([10, 20, 30, 40, 50, 50, 50]);
  expect(lines).toHaveLength(5);
  expect(counts.get('contractDrift')).toBe(7 * words.length);
});

describe('a failure', () => {
  it('is told by its name alone, and tried again after a minute', async () => {
    let isDown = true;
    let tries = 0;
    const { note, noted, lines, counts, time } = instance(async () => {
      tries += 1;
      if (isDown) throw Object.assign(new Error('+12025550143'), { name: 'TimeoutError' });
    });
    await note(drift('held'), always);
    expect(noted).toEqual([]);
    expect(lines.at(-1)).toEqual({ name: 'DRIFT_NOT_NOTED', fields: { error: 'TimeoutError' } });
    isDown = false;
    time.now += 59_999;
    await note(drift('held'), always);
    expect([tries, noted, counts.get('contractDrift')]).toEqual([1, [], 2]);
    time.now += 1;
    await note(drift('held'), always);
    expect(noted).toHaveLength(1);
  });

  it('is no matter of time: what there is none for is left to a later batch', async () => {
    const { note, noted } = instance();
    await note(drift('held', 'gone'), () => noted.length < 1);
    expect(noted.map((one) => one.word)).toEqual(['held']);
    await note(drift('held', 'gone'), always);
    expect(noted.map((one) => one.word)).toEqual(['held', 'gone']);
  });
});

it('gathers each novelty once, with what showed it first', () => {
  const { novelties, occurrences } = drift('held', 'held');
  expect(occurrences).toBe(2);
  expect([...novelties.keys()]).toEqual([mismatchId(word('held'))]);
});
