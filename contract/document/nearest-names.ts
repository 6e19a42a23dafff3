import { leavesOf, type Place, pathOf, placesIn } from '../events/places.ts';

/** Names are cut to this length: they come from outside, and the time grows with the square of the length. */
const maxLength = 60;

/** The share of the longer name's letters that may differ: `state` is similar to `status`. */
const maxDistance = 0.34;

/**
 * Lists the candidates that a name was most likely meant to be, the most similar first. Candidates with little in common are left out.
 * Letter case and separators of words (`message_id`, `messageId`) do not count.
 */
export function nearestNames(name: string, candidates: readonly string[]): string[] {
  const words = wordsOf(name);
  return candidates
    .map((candidate) => ({ candidate, distance: distanceOf(words, wordsOf(candidate)) }))
    .filter(({ distance }) => distance <= maxDistance)
    .sort((a, b) => a.distance - b.distance)
    .map(({ candidate }) => candidate);
}

function wordsOf(name: string): readonly string[] {
  const spaced = name.slice(0, maxLength).replace(/([a-z0-9])([A-Z])/g, '$1 $2');
  return spaced
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Returns 0 for the same name, up to 1 for nothing in common. A name that the other ends with (`id` in `message_id`) is just similar enough. */
function distanceOf(a: readonly string[], b: readonly string[]): number {
  const [from, to] = [a.join(''), b.join('')];
  const length = Math.max(from.length, to.length);
  if (length === 0) return 1;
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  const isEnd = shorter.length > 0 && longer.slice(-shorter.length).join(' ') === shorter.join(' ');
  const share = editDistance(from, to) / length;
  return isEnd ? Math.min(share, maxDistance) : share;
}

/** Counts the letters to add, remove or replace (Levenshtein). */
export function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}

/** Only this many values of a body are searched. */
const maxLeaves = 1000;
const maxSuggestions = 5;

/**
 * Suggests paths in a value for an expression that found nothing: those whose last name is similar to a missing name of the
 * expression. The likeliest come first. There may be none.
 *
 * @param expression JMESPath
 * @param value what it was evaluated on
 */
export function nearPaths(expression: string, value: unknown): readonly string[] {
  const places = [...leavesOf(value).take(maxLeaves)].map(({ place }) => place);
  const present = new Set(places.flatMap(namesOf));
  const names = placesIn(expression).flatMap(namesOf);
  const missing = names.filter((name) => !present.has(name));
  // If every name is present, the last one may be at another place than the expression looks.
  const searched = missing.length > 0 ? missing.toReversed() : names.slice(-1);
  const lastNames = [...new Set(places.map(lastNameOf))];
  const near = [...new Set(searched.flatMap((name) => nearestNames(name, lastNames)))];
  return near
    .flatMap((name) => places.filter((place) => lastNameOf(place) === name).map(pathOf))
    .filter((path) => path !== expression)
    .slice(0, maxSuggestions);
}

/** Lists the first paths of a value, as suggestions for an expression without similar paths. */
export function firstPaths(value: unknown): readonly string[] {
  return [...leavesOf(value).take(maxSuggestions)].map(({ place }) => pathOf(place));
}

function namesOf(place: Place): readonly string[] {
  return place.filter((step) => typeof step === 'string');
}

function lastNameOf(place: Place): string {
  return namesOf(place).at(-1) ?? '';
}
