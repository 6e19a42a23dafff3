import { isUnavailable, type PassResult, sumOf } from './pass-result.ts';

/** A pass that falls behind these reports it: it checks the same promises with less load than planned. */
const slowestPace = 1.2;
const smallestForgedShare = 0.8;
/** A pass in which fewer of the events were acknowledged proves nothing. */
const smallestAcknowledgedShare = 0.1;

/**
 * Describes the promises that did not hold.
 *
 * @param mayRefuse whether events may be rejected until a rotation elsewhere is noticed
 */
export function verdictOf(result: PassResult, mayRefuse: boolean): string[] {
  return [
    ...brokenLoad(result),
    ...brokenPromises(result, mayRefuse),
    ...brokenForgeries(result),
    ...result.leaks.map((place) => `a secret stands in the output of ${place}`),
  ];
}

/** Describes what made the pass weaker than planned: it depends on the machine, not on the pipeline. */
export function remarksOn({ planned, sendingSeconds, forgedAnswers, refused }: PassResult): string[] {
  const remarks: string[] = [];
  if (sendingSeconds > planned.seconds * slowestPace)
    remarks.push(`sending took ${sendingSeconds.toFixed(1)} s, not ${planned.seconds}`);
  const forged = sumOf(forgedAnswers);
  if (forged < planned.forged * smallestForgedShare)
    remarks.push(`${forged} forged requests were sent, not about ${planned.forged}`);
  const unavailable = refused.filter(({ status }) => isUnavailable(status)).length;
  if (unavailable > 0) remarks.push(`${unavailable} genuine events were not acknowledged: 5xx or no answer`);
  return remarks;
}

/** A pass that did less than planned proves nothing. */
function brokenLoad({ planned, sent, acknowledged, rotations, forgedAnswers }: PassResult): string[] {
  const broken: string[] = [];
  if (sent !== planned.sent) broken.push(`${sent} events were sent, not ${planned.sent}`);
  if (rotations !== planned.rotations)
    broken.push(`the service rotated ${rotations} times, not ${planned.rotations}`);
  if (acknowledged < planned.sent * smallestAcknowledgedShare)
    broken.push(`only ${acknowledged} of ${planned.sent} events were acknowledged`);
  if (sumOf(forgedAnswers) === 0) broken.push('no forged request was sent');
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
  const refused = result.refused.filter(
    ({ status, isSecretUnknown }) =>
      !isUnavailable(status) && !(mayRefuse && status === 401 && isSecretUnknown),
  );
  if (refused.length > 0) broken.push(`${refused.length} genuine events were refused`);
  if (control.answer !== 200) broken.push(`the control event was answered with ${control.answer}`);
  // Each attempt is an event of its own, and one without an answer may have been accepted.
  if (control.stored < 1 || control.stored > control.tries)
    broken.push(`the control event is in history ${control.stored} times`);
  return broken;
}

function brokenForgeries({ forgedAnswers, forgedStored, quarantinedForged }: PassResult): string[] {
  const broken: string[] = [];
  if (forgedStored !== 0) broken.push(`${forgedStored} forged events are in history`);
  for (const [answer, count] of forgedAnswers)
    if (answer !== 200 && answer !== 401 && !isUnavailable(answer))
      broken.push(`${count} forged requests were answered with ${answer}`);
  const parked = forgedAnswers.get(200) ?? 0;
  const unanswered = [...forgedAnswers].filter(([answer]) => isUnavailable(answer));
  const quarantined = sumOf(quarantinedForged);
  // One without an answer may have been parked.
  if (quarantined < parked || quarantined > parked + sumOf(new Map(unanswered)))
    broken.push(`${quarantined} of ${parked} forged events that were parked are in quarantine`);
  for (const [reason, count] of quarantinedForged)
    if (reason !== 'signature-mismatch')
      broken.push(`${count} forged events are in quarantine for ${reason}`);
  return broken;
}
