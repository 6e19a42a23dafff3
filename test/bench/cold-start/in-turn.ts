/** All of them, beginning with another one each turn, so that what else the machine does meets them all alike. */
export function inTurn<T>(all: readonly T[], turn: number): T[] {
  const first = turn % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}
