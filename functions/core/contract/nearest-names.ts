/** Beyond this many letters a name is cut: names come from outside, and the time grows with the square. */
const longest = 60;

/** Of the letters of the longer name so many may differ: `state` is near `status`. */
const farthest = 0.34;

/**
 * The candidates that a name was most likely meant to be, the nearest first; those with little in common are left out.
 * Letter case and what parts words (`message_id`, `messageId`) do not count.
 */
export function nearestNames(name: string, candidates: readonly string[]): string[] {
  const given = wordsOf(name);
  return candidates
    .map((candidate) => ({ candidate, distance: distanceOf(given, wordsOf(candidate)) }))
    .filter(({ distance }) => distance <= farthest)
    .sort((a, b) => a.distance - b.distance)
    .map(({ candidate }) => candidate);
}

function wordsOf(name: string): readonly string[] {
  const parted = name.slice(0, longest).replace(/([a-z0-9])([A-Z])/g, '$1 $2');
  return parted
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** From 0, the same, to 1, nothing in common. A name that the other ends in (`id` in `message_id`) is near, if not very. */
function distanceOf(a: readonly string[], b: readonly string[]): number {
  const [from, to] = [a.join(''), b.join('')];
  const most = Math.max(from.length, to.length);
  if (most === 0) return 1;
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  const isEnd = shorter.length > 0 && longer.slice(-shorter.length).join(' ') === shorter.join(' ');
  const share = editDistance(from, to) / most;
  return isEnd ? Math.min(share, farthest) : share;
}

/** Letters that have to be added, left out or replaced (Levenshtein). */
function editDistance(from: string, to: string): number {
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
