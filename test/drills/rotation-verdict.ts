import { type PassResult, sumOf } from './pass-result.ts';

/** How long genuine events may be refused after somebody rotated the secret past the pipeline. */
const longestRefusalMs = 5_000;
/** How much longer than planned sending may take, and how many of the forged requests must have been made. */
const slowestPace = 1.2;
const smallestForgedShare = 0.8;

/**
 * What did not hold, in words.
 *
 * @param mayRefuse whether events may be refused until a rotation elsewhere is noticed
 */
export function verdictOf(result: PassResult, mayRefuse: boolean): string[] {
  return [
    ...brokenLoad(result),
    ...brokenPromises(result, mayRefuse),
    ...brokenForgeries(result),
    ...result.leaks.map((place) => `a secret stands in the output of ${place}`),
  ];
}

/** A pass that did less than planned proves nothing. */
function brokenLoad({ planned, sent, sendingSeconds, rotations, forgedAnswers }: PassResult): string[] {
  const broken: string[] = [];
  if (sent !== planned.sent) broken.push(`${sent} events were sent, not ${planned.sent}`);
  if (sendingSeconds > planned.seconds * slowestPace)
    broken.push(`sending took ${sendingSeconds.toFixed(1)} s, not ${planned.seconds}`);
  if (rotations !== planned.rotations)
    broken.push(`the service rotated ${rotations} times, not ${planned.rotations}`);
  const forged = sumOf(forgedAnswers);
  if (forged < planned.forged * smallestForgedShare)
    broken.push(`${forged} forged requests were sent, not about ${planned.forged}`);
  return broken;
}

function brokenPromises(result: PassResult, mayRefuse: boolean): string[] {
  const { sent, stored, acknowledged, unexpected, quarantinedGenuine, deadLetters, control } = result;
  const broken: string[] = [];
  if (acknowledged + result.refused.length !== sent)
    broken.push(`${acknowledged} acknowledged and ${result.refused.length} refused are not the ${sent} sent`);
  if (stored !== acknowledged) broken.push(`${acknowledged - stored} acknowledged events are not in history`);
  if (unexpected !== 0) broken.push(`${unexpected} events are in history that should not be`);
  if (quarantinedGenuine !== 0) broken.push(`${quarantinedGenuine} genuine events are in quarantine`);
  if (deadLetters !== 0) broken.push(`${deadLetters} messages are in the dead letter queue`);
  const excused = result.refused.filter(
    ({ status, afterRotationElsewhereMs = Number.POSITIVE_INFINITY }) =>
      mayRefuse && status === 401 && afterRotationElsewhereMs <= longestRefusalMs,
  );
  const refused = result.refused.length - excused.length;
  if (refused > 0) broken.push(`${refused} genuine events were refused`);
  if (control.answer !== 200) broken.push(`the control event was answered with ${control.answer}`);
  if (control.stored !== 1) broken.push(`the control event is in history ${control.stored} times`);
  return broken;
}

function brokenForgeries({ forgedAnswers, forgedStored, quarantinedForged }: PassResult): string[] {
  const broken: string[] = [];
  if (forgedStored !== 0) broken.push(`${forgedStored} forged events are in history`);
  for (const [answer, count] of forgedAnswers)
    if (answer !== 200 && answer !== 401)
      broken.push(`${count} forged requests were answered with ${answer}`);
  const parked = forgedAnswers.get(200) ?? 0;
  const quarantined = sumOf(quarantinedForged);
  if (quarantined !== parked)
    broken.push(`${quarantined} of ${parked} forged events that were parked are in quarantine`);
  for (const [reason, count] of quarantinedForged)
    if (reason !== 'signature-mismatch')
      broken.push(`${count} forged events are in quarantine for ${reason}`);
  return broken;
}
