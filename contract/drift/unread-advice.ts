import type { ContractMismatch } from './mismatch.ts';

/** Values that were kept as received, with the number of events. */
export interface CountedUnread extends Pick<ContractMismatch, 'field' | 'found' | 'example' | 'source'> {
  /** How many events had such a value, at least. Undefined if they are not counted yet. */
  readonly events?: number | undefined;
}

const looksLike = 'looks-like-';

const timeAdvice =
  'Times: set "events.timeZone" to the zone of the service, such as "America/New_York". An offset such as "-05:00" is right only until the clocks change.';

/** What to set in the contract, by why values could not be read. */
const adviceOn: Readonly<Record<string, string>> = {
  'ambiguous-number':
    'Ambiguous numbers: if numbers without "+" are always those of one country, set "events.numbers" to "national" and "events.defaultCountry" to that country. If every number has its country code, set "events.numbers" to "international".',
  'unreadable-number':
    'Unreadable numbers: set "events.defaultCountry" if they are written as in one country. Otherwise correct the expression of the field.',
  'no-zone': timeAdvice,
  'clock-change': 'Times of a clock change: ask the service whether it can write times with their offset.',
  'after-receipt':
    'Times after the receipt: correct "events.timeFormat", or the expression if the field holds another time.',
  'no-currency':
    'Prices: set "events.status.currency" to the field of the currency, or to a text such as \'EUR\' if the service has one currency.',
  missing:
    'Missing values: correct the expression if the service moved the field. If the service never sends a time, set "occurredAt" to null.',
  'unreadable-value':
    'Other values: correct the expression if the field holds something else, or set it to null.',
};

/** Returns what to set in the contract so that such values can be read, as one line; undefined for a problem of a later version. */
export function unreadAdvice({ found }: Pick<ContractMismatch, 'found'>): string | undefined {
  return found.startsWith(looksLike) ? timeAdvice : adviceOn[found];
}

/** Says in a part of a sentence what happened to values that could not be read. */
export function describeUnread({ field, found, example, source, events }: CountedUnread): string {
  const place = source === undefined ? field : `${field} of the source ${source}`;
  const count = (one: string, several: string) =>
    events === undefined ? several : `${events} ${events === 1 ? one : several}`;
  if (found.startsWith(looksLike)) {
    const counted = events === undefined ? '' : ` (${count('event', 'events')})`;
    return `times of ${place} look like ${found.slice(looksLike.length)}${counted}`;
  }
  if (found === 'clock-change')
    return `${count('time', 'times')} of ${place} may be an hour earlier or later`;
  if (found === 'after-receipt')
    return `${count('time', 'times')} of ${place} ${events === 1 ? 'was' : 'were'} more than a day after the receipt`;
  if (found === 'no-zone') return `${count('time', 'times')} of ${place} had no zone`;
  if (found === 'missing') return `${count('event', 'events')} had no value for ${place}`;
  const why = example === undefined ? found : `${found}, such as ${example}`;
  return `${count('value', 'values')} of ${place} ${events === 1 ? 'was' : 'were'} kept as received (${why})`;
}
