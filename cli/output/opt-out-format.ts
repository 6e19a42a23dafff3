import { causeOf, type OptOutChange } from '../../functions/history/index.ts';
import { formatTime } from '../text/format.ts';
import { sanitize } from '../text/sanitize.ts';
import { showText, type View } from './print.ts';

/** Names who said it: the person in a reply, an operator for a reason, or the provider. */
export function originOf(change: Omit<OptOutChange, 'state'>, view: View): string {
  const { by, reason = '', recordedBy } = change;
  switch (by) {
    case 'person':
      return `reply ${sanitize(causeOf(change))}`;
    case 'operator':
      return `by hand${recordedBy === undefined ? '' : `, recorded by ${sanitize(recordedBy)}`}: ${showText(reason, view)}`;
    case 'provider':
      return `by the provider: message ${sanitize(causeOf(change))} failed`;
  }
}

/** Returns the sources that a number opted out of, where opt-outs count by source. */
export function ofSources({ outOf, outOfAllExcept }: Omit<OptOutChange, 'state'>): string {
  const namesOf = (sources: readonly string[]) => sources.map(sanitize).join(', ');
  if (outOf !== undefined) return ` of ${namesOf(outOf)}`;
  if (outOfAllExcept === undefined) return '';
  return outOfAllExcept.length === 0
    ? ' of all sources'
    : ` of all sources except ${namesOf(outOfAllExcept)}`;
}

/** Describes the state of a number in a line. */
export function describeState(change: OptOutChange | undefined, view: View): string {
  if (change === undefined) return 'never opted out';
  const state =
    change.state === 'out' ? view.style('red', `opted out${ofSources(change)}`) : 'opted in again';
  return `${state} since ${formatTime(change.at, view.zone)} (${originOf(change, view)})`;
}
