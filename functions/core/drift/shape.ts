import { jsonTypeOf } from './json-type.ts';
import { looksLikeVocabulary } from './vocabulary.ts';

const deepest = 6;
const mostKeys = 200;
/** Of all keys together, so that a day's shapes fit one item of the database. */
const mostCharacters = 4000;

/**
 * What an event is made of, as JSON text: its keys with the types of their values, never a value. Of a list the first entry
 * stands for all. A key that may be somebody's data is `*`; what is left out, because it is too deep or too much, is `...`.
 */
export function shapeOf(event: unknown): string {
  const left = { keys: mostKeys, characters: mostCharacters };

  function describe(value: unknown, depth: number): unknown {
    if (typeof value !== 'object' || value === null) return jsonTypeOf(value);
    if (depth === deepest) return '...';
    if (Array.isArray(value)) return value.slice(0, 1).map((inner) => describe(inner, depth + 1));
    const described: [string, unknown][] = [];
    for (const [key, inner] of Object.entries(value)) {
      const name = looksLikeVocabulary(key) ? key : '*';
      left.keys -= 1;
      left.characters -= name.length + '"":"boolean",'.length;
      if (left.keys < 0 || left.characters < 0) {
        described.push(['...', '...']);
        break;
      }
      described.push([name, describe(inner, depth + 1)]);
    }
    return Object.fromEntries(described);
  }

  return JSON.stringify(describe(event, 0));
}
