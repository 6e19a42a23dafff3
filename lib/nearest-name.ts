/** Number of single-character insertions, deletions and replacements between two words (Levenshtein). */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [row, character] of [...from].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (previous[column] ?? 0) + (character === other ? 0 : 1);
      const deleted = (previous[column + 1] ?? 0) + 1;
      const inserted = (current[column] ?? 0) + 1;
      current.push(Math.min(replaced, deleted, inserted));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}

/** The candidate that `name` was most likely meant to be; letter case does not count. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const distances = candidates.map((candidate) => ({
    candidate,
    distance: editDistance(name.toLowerCase(), candidate.toLowerCase()),
  }));
  return distances.sort((a, b) => a.distance - b.distance)[0]?.candidate;
}
