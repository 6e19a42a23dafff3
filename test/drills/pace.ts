/**
 * When the next of a steady row is due. One that is late keeps the row's pace; what a longer stall has missed is left out,
 * so that no two come at once.
 *
 * @param dueAt when the one before was due, milliseconds
 * @param now milliseconds on the same clock
 */
export function nextDue(dueAt: number, now: number, intervalMs: number): number {
  const next = dueAt + intervalMs;
  return next < now ? now + intervalMs : next;
}
