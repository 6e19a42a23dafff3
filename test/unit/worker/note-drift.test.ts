import { describe, expect, it } from 'vitest';
import {
  type FoundNovelty,
  mostNoveltiesPerDay,
  type NotedNovelty,
  noveltyId,
} from '../../../functions/core/drift/novelty.ts';
import { type BatchDrift, createNoteDrift, gatherDrift } from '../../../functions/worker/note-drift.ts';
import { recorder } from '../../support/recorder.ts';

const word = (name: string): FoundNovelty => ({
  ...{ kind: 'status', field: 'statuses', expected: 'a listed word', found: 'string', word: name },
  shape: () => '{"status":"string"}',
});
const drift = (...words: string[]): BatchDrift => {
  const novelties = new Map<string, FoundNovelty>();
  return { occurrences: gatherDrift(novelties, words.map(word)), novelties };
};
const always = () => true;

function instance(fail: (novelty: NotedNovelty) => Promise<void> = async () => {}) {
  const time = { now: Date.parse('2026-01-15T12:00:00.000Z') };
  const noted: NotedNovelty[] = [];
  const note = async (novelty: NotedNovelty) => {
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

it('ends for the day where as many were tried as it has room for', async () => {
  const { note, noted, lines, counts } = instance();
  await note(drift(...Array.from({ length: mostNoveltiesPerDay - 1 }, (_, n) => `word${n}`)), always);
  await note(drift('one', 'two'), always);
  await note(drift('three'), always);
  expect(noted).toHaveLength(mostNoveltiesPerDay);
  expect(lines).toHaveLength(2);
  expect(counts.get('contractDrift')).toBe(mostNoveltiesPerDay + 2);
});

describe('a failure', () => {
  it('is told by its name alone, and a later batch tries again', async () => {
    let isDown = true;
    const { note, noted, lines } = instance(async () => {
      if (isDown) throw Object.assign(new Error('+12025550143'), { name: 'TimeoutError' });
    });
    await note(drift('held'), always);
    expect(noted).toEqual([]);
    expect(lines.at(-1)).toEqual({ name: 'DRIFT_NOT_NOTED', fields: { error: 'TimeoutError' } });
    isDown = false;
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
  expect([...novelties.keys()]).toEqual([noveltyId(word('held'))]);
});
