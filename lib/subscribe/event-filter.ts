import type { EventPattern } from 'aws-cdk-lib/aws-events';
import * as z from 'zod';
import { nearestNames } from '../../contract/document/nearest-names.ts';
import { mainSource } from '../../contract/events/source-id.ts';
import { e164 } from '../../contract/phone/phone-key.ts';
import { canonicalStatuses, outcomeOf, rankOf } from '../../contract/schema/sms-event.ts';
import { type DetailType, detailTypes, publishedSchema } from '../../functions/publish/shapes.ts';
import { eventsOf } from '../building-blocks/pipeline-events.ts';
import { shown } from '../options/shown.ts';
import { optionNames } from './subscribe-options.ts';

/** Before a status: a word of the service that the contract does not list. */
const wordPrefix = 'word:';

/** EventBridge's operators ("Comparison operators for use in event patterns", user guide), with the types of values that each compares. */
const operators: ReadonlyMap<string, readonly string[]> = new Map([
  ['prefix', ['string']],
  ['suffix', ['string']],
  ['equals-ignore-case', ['string']],
  ['wildcard', ['string']],
  ['cidr', ['string']],
  ['anything-but', ['string', 'number', 'integer']],
  ['numeric', ['number', 'integer']],
  ['exists', ['string', 'number', 'integer', 'boolean', 'array']],
]);

/** A field of a detail, as a filter sees it. */
interface Field {
  readonly type: string;
  readonly values: readonly unknown[] | undefined;
  readonly isStatus: boolean;
  readonly isOptional: boolean;
}

/** A pattern for EventBridge, and what is wrong with the filter that it was made from: a line for each field. */
export interface FilterResult {
  readonly pattern: EventPattern;
  readonly problems: readonly string[];
}

/**
 * The pattern of a rule for events of a pipeline.
 *
 * @param pipeline its name; undefined for the events of every pipeline on the bus
 * @param detail each field with a list of values, or with a matcher of CDK
 * @param resolve resolves CDK's tokens: a matcher is one until synth
 */
export function eventPattern(
  pipeline: string | undefined,
  types: readonly string[],
  detail: Readonly<Record<string, unknown>>,
  resolve: (value: unknown) => unknown,
): FilterResult {
  const known: ReadonlySet<string> = new Set(Object.values(detailTypes));
  const unknownTypes = types.filter((type) => !known.has(type));
  if (types.length === 0 || unknownTypes.length > 0) {
    const found = types.length === 0 ? 'none' : unknownTypes.map((type) => JSON.stringify(type)).join(', ');
    const problem = `detailTypes: found ${found}, expected one or more of ${[...known].join(', ')}`;
    return { pattern: {}, problems: [problem] };
  }
  const problems: string[] = [];
  const fields = Object.entries(detail).flatMap(([name, filter]) => {
    // A field that is undefined is a field that is not given, as everywhere in CDK.
    if (filter === undefined) return [];
    if (name === 'pipeline' && pipeline !== undefined) {
      problems.push(
        "pipeline: found a filter, expected none, because the subscription is to one pipeline. SmsPipeline.fromAttributes with pipelineName '*' subscribes to every pipeline on its bus",
      );
      return [];
    }
    const field = fieldOf(types as readonly DetailType[], name);
    if (typeof field === 'string') {
      problems.push(field);
      return [];
    }
    const resolved = resolve(filter);
    const given = [resolved].flat();
    if (Array.isArray(filter) && !Array.isArray(resolved))
      problems.push(
        `${name}: found a list that is known at deployment only, expected a list of values, each of which may be a token`,
      );
    if (given.length === 0) problems.push(`${name}: found no value, which matches no event`);
    for (const value of given) {
      const problem = problemWith(value, field) ?? problemWithForm(name, value);
      if (problem !== undefined) problems.push(`${name}: ${problem}`);
    }
    const values = field.isStatus ? given.map(inEvents) : given;
    const isNamedSource = name === 'source' && !types.every((type) => namesMain.has(type));
    return [[name, isNamedSource ? withMain(values) : values] as const];
  });
  const detailOfPattern = Object.fromEntries(fields);
  if (problems.length === 0 && types.every((type) => type === detailTypes.statusChanged))
    problems.push(...contradictionIn(detailOfPattern));
  if (problems.length === 0 && types.every((type) => type === detailTypes.replyReceived))
    problems.push(...contradictionOfReplies(detailOfPattern));
  return {
    pattern: eventsOf(pipeline, { detailType: [...types], detail: detailOfPattern }),
    problems,
  };
}

/** What a change of status says at once. */
interface StatusFields {
  readonly status: string | undefined;
  readonly final: boolean;
  readonly outcome: string;
}

/** Every status with what it means. A word that the contract does not list is open, and any text. */
const possibleStatuses: readonly StatusFields[] = [
  ...canonicalStatuses.map((status) => {
    const outcome = outcomeOf(rankOf(status));
    return { status, outcome, final: outcome !== 'open' };
  }),
  { status: undefined, outcome: 'open', final: false },
];

/** Returns a line if no status has the outcome that the filter asks for beside it, or is final as it asks. */
function contradictionIn(filter: Readonly<Record<string, readonly unknown[]>>): readonly string[] {
  const { status, final, outcome } = filter;
  const isMatched = (values: readonly unknown[] | undefined, found: unknown) =>
    values === undefined || values.some((value) => isUnknown(value) || matches(value, found));
  const matchesStatus = (found: string | undefined) =>
    found === undefined
      ? status === undefined || status.some((value) => isUnknown(value) || !isCanonical(value))
      : isMatched(status, found);
  const isPossible = possibleStatuses.some(
    (one) => matchesStatus(one.status) && isMatched(final, one.final) && isMatched(outcome, one.outcome),
  );
  if (isPossible) return [];
  const names = Object.entries({ status, outcome, final }).flatMap(([name, values]) =>
    values === undefined ? [] : [name],
  );
  return [
    `${names.join(', ')}: no event has these together, so that the subscription would receive none. docs/reference/events.md lists the outcome of each status; a status is final unless its outcome is open`,
  ];
}

/** Returns a line if the filter asks for replies that have a keyword and may mean stop. The publisher asks only of a reply without a keyword whether it may mean stop. */
function contradictionOfReplies({
  keyword,
  mayMeanStop,
}: Readonly<Record<string, readonly unknown[]>>): readonly string[] {
  const needsKeyword = keyword?.every((value) => !isAbsence(value)) === true;
  return needsKeyword && mayMeanStop?.every((value) => value === true) === true
    ? [
        'keyword, mayMeanStop: no event has these together, so that the subscription would receive none: only a reply without a keyword has mayMeanStop: true. Subscribe twice, once by keyword and once by mayMeanStop, with an id each',
      ]
    : [];
}

/** Returns whether a value of a filter matches events without the field. */
export function isAbsence(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'exists' in value && value.exists === false;
}

/** The fields that are absent in ordinary events, with what their absence means. */
const absences: ReadonlyMap<string, string> = new Map([
  ['keyword', 'a reply that is no keyword'],
  ['origin', 'a report that the webhook received'],
  ['errorReason', 'a report without a known error'],
  ['previousStatus', 'the first status of a message'],
  ['word', "a report whose status is the service's word"],
  ['channel', 'SMS'],
]);

/** Returns a text for each field that excludes values, and with them every event without the field ("anything-but", EventBridge user guide). */
export function excludedAbsences({ detail = {} }: EventPattern): readonly string[] {
  return [...absences].flatMap(([name, meaning]) => {
    const values: unknown[] = [detail[name] ?? []].flat();
    const excludes = values.some(
      (value) => typeof value === 'object' && value !== null && 'anything-but' in value,
    );
    return excludes && !values.some(isAbsence) ? [`${name} (absent: ${meaning})`] : [];
  });
}

function isCanonical(value: unknown): boolean {
  return canonicalStatuses.some((status) => status === value);
}

/** Returns whether a value is known at deployment only. */
function isUnknown(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).some(isIntrinsic);
}

/** How many characters a pattern may have unless AWS has raised the quota, which it does up to {@link maxPatternLength} ("EventBridge quotas", user guide). */
export const defaultPatternLength = 2048;

/** "PutRule", EventBridge API reference: `EventPattern`. */
const maxPatternLength = 4096;

export const shorterPattern =
  'give fewer values, a matcher such as Match.prefix, or several subscriptions with an id each, or select in the target.';

/** Returns a line if no account may have a pattern of this length. */
export function problemsWithLength(length: number): readonly string[] {
  return length > maxPatternLength
    ? [
        `the filter: found a pattern of ${length} characters, expected at most ${defaultPatternLength}: ${shorterPattern}`,
      ]
    : [];
}

/** Returns the field that all of the types have, or what is wrong with its name. */
function fieldOf(types: readonly DetailType[], name: string): Field | string {
  const schemas = types.map(publishedSchema);
  const lacking = types.filter(
    (_, index) => schemas[index] !== undefined && !Object.hasOwn(schemas[index].shape, name),
  );
  if (lacking.length > 0) {
    const shared = Object.keys(schemas[0]?.shape ?? {}).filter((field) =>
      schemas.every((schema) => schema === undefined || Object.hasOwn(schema.shape, field)),
    );
    const [near] = nearestNames(name, [...shared, ...optionNames]);
    return `${name}: no field of ${lacking.join(', ')}${near === undefined ? '' : `; did you mean ${near}?`}`;
  }
  const properties = schemas.map((schema) => z.toJSONSchema(schema));
  const [first] = properties;
  const property = first?.properties?.[name];
  const {
    type = 'string',
    enum: values,
    examples,
  } = typeof property === 'object' ? property : { type: undefined, enum: undefined, examples: undefined };
  return {
    type: String(type),
    values,
    isStatus: Array.isArray(examples) && examples.length === canonicalStatuses.length,
    isOptional: properties.some(({ required = [] }) => !required.includes(name)),
  };
}

/** Returns a value as it is in events: the service's own words for statuses without their prefix. */
function inEvents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inEvents);
  if (typeof value === 'object' && value !== null && 'anything-but' in value)
    return { 'anything-but': inEvents(value['anything-but']) };
  return typeof value === 'string' && value.startsWith(wordPrefix) ? value.slice(wordPrefix.length) : value;
}

/** Returns what is wrong with a value of a field that has one form in all events. */
function problemWithForm(name: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (name === 'channel' && value.toLowerCase() === 'sms')
    return `found ${JSON.stringify(value)}, expected Match.doesNotExist(), because events about SMS have no channel`;
  if (name === 'channel' && value !== value.toLowerCase())
    return `found ${JSON.stringify(value)}, expected small letters, as in events: ${JSON.stringify(value.toLowerCase())}`;
  // ISO 4217.
  return name === 'currency' && !/^[A-Z]{3}$/.test(value)
    ? `found ${JSON.stringify(value)}, expected three capitals, for example "EUR"`
    : undefined;
}

/**
 * Returns whether a pattern selects a number that no event has: events have numbers in the form E.164, which begins with +. A recipient that the contract
 * cannot read as a number is kept as it is, so that this is no error.
 */
export function selectsLocalNumbers({ detail = {} }: EventPattern): boolean {
  const values: unknown[] = [detail.phone ?? []].flat();
  return values.some((value) => {
    if (typeof value === 'string') return !e164.test(value);
    const prefix =
      typeof value === 'object' && value !== null && 'prefix' in value ? value.prefix : undefined;
    return typeof prefix === 'string' && !prefix.startsWith('+');
  });
}

/** How messages name the types of fields. */
const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
};

/** Returns what is wrong with a value. A value is shown only if its field has a few possible values: others may be a number or a text of a person. */
function problemWith(value: unknown, field: Field): string | undefined {
  if (typeof value === 'object' && value !== null) return problemWithMatcher(value, field);
  const type = field.type === 'integer' ? 'number' : field.type;
  if (typeof value !== type)
    return `found ${typeof value === 'number' ? 'a number' : shown(value)}, expected ${typeNames[type] ?? 'a matcher of aws-cdk-lib/aws-events'}`;
  if (field.isStatus && String(value).startsWith(wordPrefix)) return undefined;
  const allowed = field.isStatus ? canonicalStatuses : field.values;
  if (allowed === undefined || allowed.some((one) => one === value)) return undefined;
  const ownWord = field.isStatus ? `, or ${wordPrefix}${value} for the service's own word` : '';
  return `found ${JSON.stringify(value)}, expected ${allowed.join(', ')}${ownWord}`;
}

function problemWithMatcher(matcher: object, field: Field): string | undefined {
  const [name = '', ...others] = Object.keys(matcher);
  if (isIntrinsic(name)) return undefined;
  const types = operators.get(name);
  if (types === undefined || others.length > 0)
    return Array.isArray(matcher)
      ? 'found a list in the list, expected values, or a matcher without the list around it: Match.prefix(...) is a list itself'
      : `found an object with ${[name, ...others].join(' and ')}, expected a value, or a matcher of aws-cdk-lib/aws-events`;
  if (!types.includes(field.type))
    return `the matcher "${name}" does not fit, because the field is a ${field.type}`;
  if (name === 'exists' && !field.isOptional)
    return 'every event has this field, so it cannot be asked whether it exists';
  const operand: unknown = Object.values(matcher)[0];
  // "Comparison operators for use in event patterns", EventBridge user guide.
  if (name === 'wildcard' && [operand].flat().some((one) => /(?<!\\)\*\*/.test(String(one))))
    return 'the matcher "wildcard" has ** in it, which EventBridge refuses: one * stands for any characters';
  // These are the values that anything-but excludes. Its other operands are matchers on text.
  const excluded = name === 'anything-but' && typeof operand !== 'object' ? [operand] : operand;
  if (Array.isArray(excluded) && name === 'anything-but') {
    const problem = excluded.map((value) => problemWith(value, field)).find((one) => one !== undefined);
    if (problem !== undefined) return problem;
  }
  const isKnown = typeof operand !== 'object' || operand === null || !Object.keys(operand).some(isIntrinsic);
  const { values } = field;
  if (isKnown && values !== undefined && name !== 'exists' && !values.some((one) => matches(matcher, one)))
    return `the matcher "${name}" matches none of ${values.join(', ')}${field.isOptional ? '; Match.doesNotExist() matches the events without the field' : ''}`;
  return undefined;
}

/** Returns whether the key of an object is that of a value which is known at deployment only. */
function isIntrinsic(key: string): boolean {
  return key === 'Ref' || key.startsWith('Fn::');
}

/** Returns whether a value in a filter, which may be a matcher of CDK, matches a text. */
function matches(filter: unknown, text: unknown): boolean {
  if (typeof filter !== 'object' || filter === null || typeof text !== 'string') return filter === text;
  const [[name, operand] = ['', undefined]] = Object.entries(filter);
  const operands: readonly unknown[] = [operand].flat();
  switch (name) {
    case 'anything-but':
      return !operands.some((one) => matches(one, text));
    case 'equals-ignore-case':
      return operands.some((one) => String(one).toLowerCase() === text.toLowerCase());
    case 'prefix':
    case 'suffix':
      return operands.some((one) => matchesEnd(name, one, text));
    case 'wildcard':
      return operands.some((one) => wildcard(String(one)).test(text));
    default:
      return false;
  }
}

/** @param end a text, or a text of any case: `{ 'equals-ignore-case': 'deliv' }` */
function matchesEnd(name: 'prefix' | 'suffix', end: unknown, text: string): boolean {
  if (typeof end === 'object' && end !== null)
    return matchesEnd(name, String(Object.values(end)[0]).toLowerCase(), text.toLowerCase());
  return name === 'prefix' ? text.startsWith(String(end)) : text.endsWith(String(end));
}

/** `*` stands for any characters. The names and words that are compared have no asterisk and no backslash. */
function wildcard(pattern: string): RegExp {
  return new RegExp(`^${pattern.replaceAll(/[^\w*]/g, '\\$&').replaceAll('*', '.*')}$`);
}

/** Events about a source as a whole: they name also `main`. */
const namesMain: ReadonlySet<string> = new Set([detailTypes.providerDegraded, detailTypes.providerRecovered]);

/** Other events of `main` name no source, and only `exists: false` matches an event without the field. */
function withMain(values: readonly unknown[]): unknown[] {
  return values.some((value) => matches(value, mainSource)) ? [{ exists: false }, ...values] : [...values];
}
