import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from 'vitest';
import {
  erasedPersons,
  keysIn,
  markOf,
  maxHashesOfEntry,
} from '../../../../cli/personal-data/erased-persons.ts';
import type { QuarantinedEntry } from '../../../../functions/receive/shapes.ts';

const phone = '+12025550143';
const now = '2026-01-16T00:00:00.000Z';
const finishedAt = '2026-01-15T12:00:00.000Z';

const receipt = (id: string, key: string, changed: object = {}) =>
  marshall({
    pk: `erasure#${id}`,
    state: 'done',
    startedAt: '2026-01-15T11:59:00.000Z',
    finishedAt,
    keepOptOut: false,
    person: markOf(phone, key),
    ...changed,
  });

const entryWith = (body: string | Buffer, receivedAt = finishedAt): QuarantinedEntry => ({
  id: 'q',
  reason: 'not-json',
  receivedAt,
  requestId: 'q',
  raw: Buffer.from(body),
});

it('recognises a person in the spellings under which an erasure finds the number', () => {
  const erased = erasedPersons([receipt('1', 'key')], ['key'], now);
  for (const written of [phone, '12025550143', '(202) 555-0143', '202-555-0143', '2025550143'])
    expect([written, erased.until(written, 'history')]).toEqual([written, finishedAt]);
  expect(erased.until('+12025550144', 'history')).toBeUndefined();
  expect(erased.mentionedIn(entryWith('{"to":"%2B1 202 555 0143"}'))).toBe(true);
  expect(erased.mentionedIn(entryWith('{"to":"%2B1 202 555 0143"}', now))).toBe(false);
  expect(erased.mentionedIn(entryWith('{"to":"+12025550144","id":"20255501439"}'))).toBe(false);
});

it('leaves an opt-out that was kept, and one that may be of another person', () => {
  const kept = erasedPersons([receipt('1', 'key', { keepOptOut: true })], ['key'], now);
  expect(kept.until(phone, 'opt-out')).toBeUndefined();
  expect(kept.until(phone, 'history')).toBe(finishedAt);
  const erased = erasedPersons([receipt('1', 'key')], ['key'], now);
  expect(erased.until(phone, 'opt-out')).toBe(finishedAt);
  // These digits are also a number of another country.
  for (const written of ['2025550143', '(202) 555-0143'])
    expect(erased.until(written, 'opt-out')).toBeUndefined();
});

it('knows the last erasure of a person, and until now one that is running', () => {
  const later = '2026-01-15T18:00:00.000Z';
  const twice = erasedPersons(
    [receipt('1', 'key', { finishedAt: later }), receipt('2', 'key')],
    ['key'],
    now,
  );
  expect(twice.until(phone, 'history')).toBe(later);
  expect(twice.running).toEqual([]);
  expect(twice.ids).toEqual(['erasure#1', 'erasure#2']);
  const { finishedAt: _, ...running } = receipt('3', 'key', { state: 'running' });
  const open = erasedPersons([running], ['key'], now);
  expect(open.running).toEqual(['erasure#3']);
  expect(open.until(phone, 'history')).toBe(now);
});

it('tries every key, and names the receipts of which no key is known', () => {
  const receipts = [receipt('1', 'old'), receipt('2', 'lost')];
  const erased = erasedPersons(receipts, keysIn(' new  old\n'), now);
  expect(erased.until(phone, 'history')).toBe(finishedAt);
  expect(erased.unknown).toEqual(['erasure#2']);
  expect(erasedPersons(receipts, [], now).unknown).toEqual(['erasure#1', 'erasure#2']);
});

it('knows the person of a receipt that a script spoiled by the same receipt of the copy', () => {
  for (const person of [undefined, 'x', { key: 'x' }, { number: 'x', key: 'x', spellings: 'x' }]) {
    const { person: _, ...others } = receipt('1', 'key');
    const spoiled = { ...others, ...marshall({ person }, { removeUndefinedValues: true }) };
    expect(erasedPersons([spoiled], ['key'], now).unknown).toEqual(['erasure#1']);
    const erased = erasedPersons([spoiled, receipt('1', 'key')], ['key'], now);
    expect(erased.unknown).toEqual([]);
    expect(erased.until(phone, 'history')).toBe(finishedAt);
  }
});

it('a mark does not show the number, and is another one with another key', () => {
  const mark = markOf(phone, 'key');
  expect(JSON.stringify(mark)).not.toContain('202555');
  const other = markOf(phone, 'other');
  expect(mark.number).not.toBe(other.number);
  expect(mark.spellings.filter((hash) => other.spellings.includes(hash))).toEqual([]);
});

describe('an entry with too many digits to look all up', () => {
  const digits = '7 3 0 9 1 5 ';
  const bounded = (maxHashes: number, keys = ['key']) =>
    erasedPersons([receipt('1', 'key')], keys, now, maxHashes);

  it('is neither one that mentions a person, nor one that does not', () => {
    const entry = entryWith(Array.from({ length: 100 }, (_, index) => `${digits}${index}`).join(' '));
    expect(bounded(10_000).mentionedIn(entry)).toBe(false);
    expect(bounded(500).mentionedIn(entry)).toBeUndefined();
    expect(bounded(10_000, ['key', 'old', 'older']).mentionedIn(entry)).toBeUndefined();
    expect(erasedPersons([], ['key'], now, 500).mentionedIn(entry)).toBe(false);
  });

  it('has fewer digits looked up the more keys there are, because each key takes its own hash', () => {
    const body = Array.from({ length: 100 }, (_, index) => 1_000_000 + index).join('x'.repeat(20));
    for (const keys of [['key'], Array.from({ length: 10 }, (_, index) => `key${index}`).with(0, 'key')]) {
      const hashes = 100 * keys.length;
      expect(bounded(hashes, keys).mentionedIn(entryWith(body))).toBe(false);
      expect(bounded(hashes - 1, keys).mentionedIn(entryWith(body))).toBeUndefined();
    }
  });

  it('is documented with the limit', () => {
    const restore = readFileSync('docs/guides/restore.md', 'utf8');
    // A group of 15 digits or more is looked up by its last 7 to 15 digits.
    const groups = Math.floor(maxHashesOfEntry / 9 / 10_000) * 10_000;
    expect(restore).toContain(
      `more than some ${groups.toLocaleString('en')} different long groups of digits with one key of erasures, or ${(groups / 10).toLocaleString('en')} with ten`,
    );
  });

  it('mentions a person who is found before', () => {
    const entry = entryWith(`${phone}, ${Array.from({ length: 500 }, (_, index) => index).join(' ')}`);
    expect(bounded(500).mentionedIn(entry)).toBe(true);
  });

  it('does not have them if they only repeat', () => {
    expect(bounded(500).mentionedIn(entryWith(digits.repeat(2000)))).toBe(false);
    expect(bounded(500).mentionedIn(entryWith(`${digits.repeat(2000)}, ${phone}`))).toBe(true);
  });

  it('is one too if its body inflates to more than is searched', () => {
    const bomb = gzipSync('x'.repeat(2_000_000));
    expect(bounded(500).mentionedIn(entryWith(bomb))).toBeUndefined();
    expect(bounded(500).mentionedIn(entryWith(gzipSync(`${phone}${'x'.repeat(2_000_000)}`)))).toBe(true);
    expect(erasedPersons([], ['key'], now).mentionedIn(entryWith(bomb))).toBe(false);
  });
});

it.each(['ACME', '12345', 'Bob 7'])('%s is recognised in the history, and not within an entry', (text) => {
  const erased = erasedPersons([receipt('1', 'key', { person: markOf(text, 'key') })], ['key'], now);
  expect(erased.until(text, 'history')).toBe(finishedAt);
  // docs/guides/erase.md, "What an erasure remembers".
  expect(erased.mentionedIn(entryWith(`{"from":"${text}"}`))).toBe(false);
});

it.each([
  ['ACME', ''],
  ['Bob 7', '7'],
])('a join does not take the digits of %s for the person', (text, digits) => {
  const erased = erasedPersons([receipt('1', 'key', { person: markOf(text, 'key') })], ['key'], now);
  expect(erased.until(digits, 'history')).toBeUndefined();
});
