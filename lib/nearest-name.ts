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

/** Whether a word is another with letters left out. */
function isShortFor(word: string, whole: string): boolean {
  let from = 0;
  return [...word].every((letter) => {
    const place = whole.indexOf(letter, from);
    from = place + 1;
    return place >= 0;
  });
}

/** The candidate that `name` was most likely meant to be, first one that it is short for; letter case does not count. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const given = name.toLowerCase();
  const distances = candidates.map((candidate) => ({
    candidate,
    isWhole: isShortFor(given, candidate.toLowerCase()),
    distance: editDistance(given, candidate.toLowerCase()),
  }));
  const sorted = distances.sort((a, b) => Number(b.isWhole) - Number(a.isWhole) || a.distance - b.distance);
  return sorted[0]?.candidate;
}
