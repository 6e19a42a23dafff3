import { describe, expect, it } from 'vitest';
import { pathOf, placesIn } from '../../../contract/events/places.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { readPresets } from '../../../tools/generate/preset-lists.ts';
import { allFacts } from '../../../tools/published/all-facts.ts';
import { subjectsOf } from '../../../tools/published/preset-subjects.ts';
import {
  type PublishedFacts,
  type PublishedFields,
  type PublishedWords,
  subjects,
} from '../../../tools/published/published-facts.ts';
import { presetContract } from '../../support/preset-contracts.ts';

/*
 * Presets are compared with what providers publish: the fields and the words of libraries, descriptions and pages, as tables. The nightly run
 * compares the tables with the libraries.
 */

const byPreset = allFacts.flatMap((facts) => facts.presets.map((preset) => ({ preset, facts })));

it('there are facts for each preset of a service', () => {
  const services = readPresets().flatMap(({ name, isWhole }) => (isWhole ? [name] : []));
  expect(byPreset.map(({ preset }) => preset).toSorted()).toEqual(services);
});

describe.each(byPreset)('$preset', ({ preset, facts }: { preset: string; facts: PublishedFacts }) => {
  const contract = presetContract(preset);

  it.each(facts.fields)('reads the fields of a $of, and no field that is left out', (fields) => {
    const expressions = expressionsOf(contract, fields);
    for (const [field, paths] of Object.entries(fields.read)) {
      const places = placesOf(expressions[field]);
      expect(paths.filter((path) => !isReadAt(places, path))).toEqual([]);
    }
    const read = new Set(Object.values(expressions).flatMap(placesOf));
    const leftOut = Object.values(fields.leftOut).flat();
    expect(leftOut.filter((path) => read.has(path))).toEqual([]);
    const all = [...Object.values(fields.read).flat(), ...leftOut];
    expect(all.filter((path, index) => all.indexOf(path) !== index)).toEqual([]);
  });

  it.each(facts.words)('gives a meaning to the words of $of', (published) => {
    const known = meaningsOf(contract, published);
    expect(published.words.filter((word) => !Object.hasOwn(known, word))).toEqual([]);
    const { leftOut = {} } = published;
    expect(
      Object.values(leftOut)
        .flat()
        .filter((word) => Object.hasOwn(known, word)),
    ).toEqual([]);
  });

  it('has each subject, or says why not', () => {
    const has = subjectsOf(contract);
    const missing = subjects.filter((subject) => !has.has(subject));
    expect(Object.keys(facts.lacks).toSorted()).toEqual(missing.toSorted());
  });
});

function expressionsOf(
  { events, lookups }: Contract,
  { of }: PublishedFields,
): Readonly<Record<string, string | null | undefined>> {
  const id = events.id.from === 'body' ? events.id.path : undefined;
  if (of === 'report') return { ...events.status, kind: events.kind, id };
  if (of === 'reply') return { ...events.reply, kind: events.kind, id };
  const lists = [lookups?.message?.events, lookups?.list?.events, lookups?.send?.events];
  // A filter names fields of one event, and the list before it those around the events.
  const filters = lists.flatMap((list = '') => list.match(/(?<=\[\?)[^\]]+/g) ?? []);
  return { ...lookups?.report, list: filters.join(' || ') };
}

function placesOf(expression: string | null | undefined): readonly string[] {
  return expression ? placesIn(expression).map((place) => pathOf(place).replaceAll('"', '')) : [];
}

/**
 * Reports whether an expression reads a field. It may name the place around the field and the rest of the way apart, as in `a.[b, c]` and
 * `list[].a`, or a whole list.
 */
function isReadAt(places: readonly string[], path: string): boolean {
  const ends = places.flatMap((place) => ['.', '[0].'].map((step) => place + step));
  return (
    places.includes(path) ||
    places.includes(path.replace(/\[0\]$/, '')) ||
    ends.some((start) => path.startsWith(start) && places.includes(path.slice(start.length)))
  );
}

function meaningsOf({ statuses, errors, lookups }: Contract, { of }: PublishedWords): object {
  if (of === 'errors') return errors;
  return of === 'statuses' ? statuses : { ...statuses, ...lookups?.statuses };
}
