/** The candidate that a mistyped word was most likely meant to be; undefined where none is near. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const [best] = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return best?.candidate;
}

/** How many letters have to be added, left out or replaced (Levenshtein); words of any length are cut to 40. */
function editDistance(from: string, to: string): number {
  const target = [...to.slice(0, 40)];
  let previous = [0, ...target.map((_, index) => index + 1)];
  for (const [row, letter] of [...from.slice(0, 40)].entries()) {
    const current = [row + 1];
    for (const [column, other] of target.entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
