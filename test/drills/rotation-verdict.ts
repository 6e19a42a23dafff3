import type { PassResult } from './rotation-pass.ts';

/** How long genuine events may be refused after somebody rotated the secret past the pipeline. */
const longestRefusalMs = 5_000;

/**
 * What did not hold, in words.
 *
 * @param mayRefuse whether events may be refused until a rotation elsewhere is noticed
 */
export function verdictOf(result: PassResult, mayRefuse: boolean): string[] {
  const { stored, acknowledged, unexpected, quarantinedGenuine, forgedStored, deadLetters, leaks } = result;
  const broken: string[] = [];
  if (stored !== acknowledged) broken.push(`${acknowledged - stored} acknowledged events are not in history`);
  if (unexpected !== 0) broken.push(`${unexpected} events are in history that should not be`);
  if (quarantinedGenuine !== 0) broken.push(`${quarantinedGenuine} genuine events are in quarantine`);
  if (forgedStored !== 0) broken.push(`${forgedStored} forged events are in history`);
  if (deadLetters !== 0) broken.push(`${deadLetters} messages are in the dead letter queue`);
  const excused = result.refused.filter(
    ({ status, afterRotationElsewhereMs }) =>
      mayRefuse && status === 401 && afterRotationElsewhereMs <= longestRefusalMs,
  );
  const refused = result.refused.length - excused.length;
  if (refused > 0) broken.push(`${refused} genuine events were refused`);
  for (const place of leaks) broken.push(`a secret stands in the output of ${place}`);
  return broken;
}
