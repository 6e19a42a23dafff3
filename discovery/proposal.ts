import { numberFormats } from '../contract/phone/phone-number.ts';
import type { Contract } from '../contract/schema/contract-schema.ts';
import {
  type CanonicalErrorReason,
  type CanonicalStatus,
  canonicalErrorReasons,
  canonicalStatuses,
} from '../contract/schema/sms-event.ts';
import { timeFormats } from '../contract/text/time.ts';
import { type Column, coverage, distinct, filled, type Scalar } from './captured/columns.ts';
import { nameWeight, numberNames } from './captured/field-names.ts';

/** A field that may have the role that is searched. */
export interface Candidate {
  readonly column: Column;
  /** From 0 to a little over 100. From 80 on, the name alone is convincing. */
  readonly score: number;
  /** The weight of its name alone. */
  readonly weight: number;
}

/** From this weight on, the name is one that services document for the role. */
export const documentedWeight = 90;

/** A field with a lower score is not a candidate. */
export const minScore = 45;
/** The weight of a field that only behaves like its role. It is never certain. */
const behaviourWeight = 50;
/** A candidate is a rival of the best one if its score is at most this much lower. */
export const maxRivalGap = 12;

/** The role of a field in an event, such as the recipient, and how to recognise it. */
interface Role {
  readonly names: ReadonlyMap<string, number>;
  /** Reports whether a value is possible. At least 80 % of the values must be. */
  readonly fits: (value: Scalar) => boolean;
  /** Reports whether a field behaves like its role, whatever its name is. */
  readonly looks?: (column: Column) => boolean;
  /** Returns a number to add to the weight of the name. */
  readonly bonus?: (column: Column) => number;
}

/** Lists the fields that may have the role, the likeliest first. */
export function rankColumns(columns: readonly Column[], { names, fits, looks, bonus }: Role): Candidate[] {
  return columns
    .flatMap((column) => {
      const values = filled(column);
      const fitting = values.filter(fits).length;
      if (values.length === 0 || fitting < values.length * 0.8) return [];
      const weight = nameWeight(column.name, names);
      const score = (looks?.(column) ? Math.max(weight, behaviourWeight) : weight) + (bonus?.(column) ?? 0);
      return score >= minScore ? [{ column, score, weight }] : [];
    })
    .sort((a, b) => b.score - a.score || coverage(b.column) - coverage(a.column));
}

/** Weighs the name of the object around a field: "to.value" is a recipient, and "from.number" is not. */
export function ownerBonus({ name }: Column, names: ReadonlyMap<string, number>): number {
  const owner = [...name.parents, name.container].find((around) => numberNames.has(around));
  if (owner === undefined) return 0;
  const weight = names.get(owner);
  return weight === undefined ? -100 : Math.max(0, weight * 0.95 - nameWeight(name, names));
}

/** Lists the candidates that are almost as likely as the best one and hold other values. */
function rivalsOf([best, ...others]: readonly Candidate[]): Candidate[] {
  if (best === undefined) return [];
  return others
    .filter(({ score, column }) => score >= best.score - maxRivalGap && !hasSameValues(column, best.column))
    .slice(0, 3);
}

function hasSameValues(a: Column, b: Column): boolean {
  return a.values.every((value, index) => String(value) === String(b.values[index]) || value === undefined);
}

/** Reports whether a field has one value in all events, with enough events to expect several. */
export function isConstant(column: Column): boolean {
  const values = filled(column);
  return values.length >= 3 && distinct(values).size === 1;
}

/** The sensitivity of an example. Numbers and texts are personal data, and shown only on request. */
type ExampleOf = 'number' | 'text' | 'plain';

/** A proposed value for one place of the contract. */
export interface Proposal {
  /** The place: `events.status.messageId`, `statuses.DELIVRD`. */
  readonly key: string;
  /** The value in the contract, mostly JMESPath. Null leaves an optional place empty; undefined means that a required value was not found. */
  readonly value: string | null | undefined;
  /** Whether name and values agree, with more than one event or a documented name as evidence, and there is no rival. */
  readonly isCertain: boolean;
  /** Other possible values. */
  readonly rivals: readonly string[];
  readonly example?: { readonly of: ExampleOf; readonly value: string };
  /** Why it is a guess, or what to check. */
  readonly note?: string;
}

/** From this score on, a name is convincing. */
const convincingScore = 80;
/** From this score on, a field may replace a better one in events that lack that. */
const fallbackScore = 60;

interface ProposedPlace {
  readonly key: string;
  readonly exampleOf?: ExampleOf;
  /** Whether every event must have a value. */
  readonly isRequired: boolean;
}

/** Makes a proposal without a ranking. */
export function proposal(
  key: string,
  value: Proposal['value'],
  isCertain: boolean,
  more: Partial<Pick<Proposal, 'rivals' | 'example' | 'note'>> = {},
): Proposal {
  return { key, value, isCertain, rivals: [], ...more };
}

/** Proposes the best candidate. If every event needs a value and some lack the best field, the fields of those follow it. */
export function propose(
  candidates: readonly Candidate[],
  { key, exampleOf = 'plain', isRequired }: ProposedPlace,
): Proposal {
  const [best] = candidates;
  if (best === undefined)
    return isRequired
      ? proposal(key, undefined, false, { note: 'no field looks like it' })
      : proposal(key, null, true);
  const chosen = isRequired ? covering(candidates) : [best];
  const rivals = rivalsOf(candidates).filter((rival) => !chosen.includes(rival));
  const hasGap =
    isRequired &&
    !best.column.values.every((_, index) => chosen.some(({ column }) => isFilled(column.values[index])));
  const example = filled(best.column)[0];
  const isFirst = chosen.some(({ column }) => column.path.includes('[0]'));
  const encoding = chosen.map(({ column }) => column.encoding).find((one) => one !== undefined);
  const notes = [
    ...(hasGap ? ['some events have no such field'] : []),
    ...(isFirst ? ['the first element of a list: are there ever more?'] : []),
    ...(encoding === undefined ? [] : [`the values seem to be ${encoding.name} once more`]),
  ];
  return {
    key,
    value: chosen.map(({ column }) => column.path).join(' || '),
    isCertain:
      best.score >= convincingScore &&
      (best.weight >= documentedWeight || filled(best.column).length > 1) &&
      rivals.length === 0 &&
      chosen.length === 1 &&
      !hasGap &&
      !isFirst &&
      encoding === undefined,
    rivals: rivals.map(({ column }) => column.path),
    ...(example === undefined ? {} : { example: { of: exampleOf, value: String(example) } }),
    ...(notes.length === 0 ? {} : { note: notes.join('; ') }),
  };
}

/** Chooses the best candidate, and those that fill its gaps. */
function covering([best, ...others]: readonly Candidate[]): Candidate[] {
  if (best === undefined) return [];
  const chosen = [best];
  for (const other of others.filter(({ score }) => score >= fallbackScore)) {
    const isMissing = (index: number) => chosen.every(({ column }) => !isFilled(column.values[index]));
    if (other.column.values.some((value, index) => isFilled(value) && isMissing(index))) chosen.push(other);
  }
  return chosen;
}

function isFilled(value: unknown): boolean {
  return value !== undefined && String(value).trim() !== '';
}

/** How `events.id` is written as one text: one of these, or JMESPath to a field. */
export const signedId = 'signed-id';
export const contentId = 'content';

type Values = ReadonlyMap<string, Proposal['value']>;

/** Puts proposals into a contract. Places without a proposed value stay as they are. Words are added to those that are there. */
export function applyProposals(contract: Contract, proposals: readonly Proposal[]): Contract {
  const values: Values = new Map(proposals.map(({ key, value }) => [key, value]));
  const { webhook, events, statuses, errors } = contract;
  const bodyFormat = values.get('webhook.bodyFormat');
  const timeFormat = values.get('events.timeFormat');
  const timeZone = values.get('events.timeZone');
  const numbers = numberFormats.find((format) => format === values.get('events.numbers'));
  const charset = values.get('webhook.charset');
  const alsoCharset = values.get('webhook.also.charset');
  const id = values.get('events.id');
  return {
    ...contract,
    webhook: {
      ...webhook,
      bodyFormat: bodyFormat === 'form' || bodyFormat === 'json' ? bodyFormat : webhook.bodyFormat,
      ...(typeof charset === 'string' && { charset }),
      ...(typeof alsoCharset === 'string' &&
        webhook.also !== undefined && { also: { ...webhook.also, charset: alsoCharset } }),
    },
    events: {
      ...events,
      list: values.get('events.list') ?? events.list,
      kind: values.get('events.kind') ?? events.kind,
      id: id === undefined || id === null ? events.id : eventIdOf(id),
      timeFormat: timeFormatsIn(timeFormat) ?? events.timeFormat,
      timeZone: timeZone === undefined ? events.timeZone : timeZone,
      numbers: numbers ?? events.numbers,
      status: withValues(events.status, 'events.status', values),
      reply: withValues(events.reply, 'events.reply', values),
    },
    statuses: { ...statuses, ...wordsOf<CanonicalStatus>(values, 'statuses.', canonicalStatuses) },
    errors: { ...errors, ...wordsOf<CanonicalErrorReason>(values, 'errors.', canonicalErrorReasons) },
  };
}

/** How several time formats are written as one text. */
export const formatSeparator = ', ';

function timeFormatsIn(text: Proposal['value']): Contract['events']['timeFormat'] | undefined {
  const names = text?.split(formatSeparator) ?? [];
  const [first, ...others] = timeFormats.filter((format) => names.includes(format));
  return first === undefined || others.length === 0 ? first : [first, ...others];
}

function eventIdOf(text: string): Contract['events']['id'] {
  return text === signedId || text === contentId ? { from: text } : { from: 'body', path: text };
}

function withValues<F extends Readonly<Record<string, string | null>>>(
  fields: F,
  section: string,
  values: Values,
): F {
  const proposed = Object.keys(fields).flatMap((field): [string, string | null][] => {
    const value = values.get(`${section}.${field}`);
    return value === undefined ? [] : [[field, value]];
  });
  return { ...fields, ...Object.fromEntries(proposed) };
}

function wordsOf<T extends string>(
  values: Values,
  prefix: string,
  canonical: readonly T[],
): Record<string, T> {
  return Object.fromEntries(
    [...values].flatMap(([key, value]) => {
      const word = canonical.find((one) => one === value);
      return key.startsWith(prefix) && word !== undefined ? [[key.slice(prefix.length), word]] : [];
    }),
  );
}
