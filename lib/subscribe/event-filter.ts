import type { EventPattern } from 'aws-cdk-lib/aws-events';
import { mainSource } from '../../contract/events/source-id.ts';
import type { CanonicalStatus } from '../../contract/schema/sms-event.ts';
import { type Details, type DetailType, detailTypes, eventSource } from '../../functions/publish/shapes.ts';

/** At least one value: a rule with an empty list matches nothing, and EventBridge rejects it. */
type AtLeastOne<T> = readonly [T, ...T[]];

/** One value or several; an event matches any of them. */
type OneOrMore<T> = T | AtLeastOne<T>;

/** Exactly one of these properties: EventBridge accepts one operator at a time. */
type ExactlyOne<Choices> = {
  readonly [K in keyof Choices]: { readonly [P in K]: Choices[P] } & {
    readonly [P in Exclude<keyof Choices, K>]?: never;
  };
}[keyof Choices];

/** A status by its canonical name, or `{ word }`: the service's own word, if the contract does not list it. */
export type StatusValue = CanonicalStatus | { readonly word: string };

/** Operators on text. In `wildcard`, `*` stands for any characters, and `\*` for a star. */
interface TextOperators {
  readonly prefix: string;
  readonly suffix: string;
  readonly equalsIgnoreCase: string;
  readonly wildcard: string;
}

type Comparison = '=' | '<' | '<=' | '>' | '>=';

/** A comparison, or the two ends of a range: `['>', 0, '<=', 10]`. */
type NumericRange = readonly [Comparison, number] | readonly ['>' | '>=', number, '<' | '<=', number];

type StatusField = 'status' | 'previousStatus' | 'lastStatus' | 'successStatus' | 'failureStatus';

/** Any value except these; an event without the field does not match. */
interface Except<Value> {
  readonly anythingBut: OneOrMore<Value>;
}

type Operators<Field, Value> = Field extends StatusField
  ? Except<StatusValue>
  : [Value] extends [boolean]
    ? never
    : [Value] extends [number]
      ? { readonly numeric: NumericRange }
      : string extends Value
        ? TextOperators & Except<string>
        : Except<Value>;

/** `exists` is for fields that some events of the detail type lack. */
type Presence<Value> = undefined extends Value ? { readonly exists: boolean } : unknown;

type FieldFilter<Field, Value> = OneOrMore<
  | (Field extends StatusField ? StatusValue : NonNullable<Value>)
  | ([NonNullable<Value>] extends [boolean]
      ? never
      : ExactlyOne<Operators<Field, NonNullable<Value>> & Presence<Value>>)
>;

/**
 * Conditions on the detail of an event. Every given field must match, by any of its values. Each field accepts values of its own type
 * and the operators that make sense for it.
 */
export type DetailFilter<T extends DetailType> = {
  readonly [F in keyof Details[T]]?: FieldFilter<F, Details[T][F]>;
};

/** Selects changes of a message's status; `{}` selects all of them. */
export type DeliveryStatusFilter = DetailFilter<typeof detailTypes.statusChanged>;

/** A condition on the text of a reply; case matters, except in `equalsIgnoreCase`. */
export type TextMatch = ExactlyOne<{ readonly equals: string } & TextOperators>;

/** Selects replies; `{}` selects all of them. */
export type ReplyFilter = Omit<DetailFilter<typeof detailTypes.replyReceived>, 'text'> & {
  /** One condition or several; a reply matches any of them. Texts are compared after a cut to 10,000 characters. */
  readonly textMatches?: OneOrMore<TextMatch>;
};

/** Events of one detail type, filtered by its own fields. */
type EventsOf<T extends DetailType> = {
  readonly [K in T]: { readonly detailType: K; readonly detail?: DetailFilter<K> };
}[T];

/** Events of one detail type, optionally filtered, or all events of several types. */
export type EventFilter =
  | EventsOf<DetailType>
  | { readonly detailType: AtLeastOne<DetailType>; readonly detail?: never };

/** Selects events about a source that is degraded or has recovered; `{}` selects those of all sources. */
export type ProviderFilter = DetailFilter<typeof detailTypes.providerDegraded>;

/** EventBridge's name of each operator ("Comparison operators for use in event patterns", user guide). */
const operators: Readonly<Record<string, string>> = {
  prefix: 'prefix',
  suffix: 'suffix',
  equalsIgnoreCase: 'equals-ignore-case',
  wildcard: 'wildcard',
  anythingBut: 'anything-but',
  numeric: 'numeric',
  exists: 'exists',
};

/** The pattern of a rule for these events of this pipeline only. */
export function eventPattern({ detailType, detail }: EventFilter): EventPattern {
  return patternOf([detailType].flat(), detail ?? {});
}

/** The pattern of a rule for replies. */
export function replyPattern({ textMatches, ...fields }: ReplyFilter): EventPattern {
  const text = textMatches === undefined ? {} : { text: textMatches };
  return patternOf([detailTypes.replyReceived], { ...fields, ...text });
}

/** Events about a source as a whole: they name also `main`. */
const namesMain: readonly DetailType[] = [detailTypes.providerDegraded, detailTypes.providerRecovered];

function patternOf(detailType: DetailType[], detail: Readonly<Record<string, unknown>>): EventPattern {
  const isMainAbsent = !detailType.some((type) => namesMain.includes(type));
  const fields = Object.entries(detail).map(([field, filter]) => {
    const values = [filter].flat();
    const isSource = field === 'source' && isMainAbsent;
    return [field, isSource ? values.flatMap(sourceMatchers) : values.map(matcherOf)];
  });
  return {
    source: [eventSource],
    detailType,
    ...(fields.length === 0 ? {} : { detail: Object.fromEntries(fields) }),
  };
}

/** Other events of `main` name no source, and `anything-but` matches no event without the field. */
function sourceMatchers(value: unknown): unknown[] {
  if (value === mainSource) return [{ exists: false }];
  if (typeof value !== 'object' || value === null || !('anythingBut' in value)) return [matcherOf(value)];
  const excluded = [value.anythingBut].flat();
  const others = excluded.filter((source) => source !== mainSource);
  const named = others.length === 0 ? { exists: true } : { 'anything-but': others };
  return excluded.includes(mainSource) ? [named] : [{ exists: false }, named];
}

function matcherOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const [[name, operand] = ['', undefined]] = Object.entries(value);
  if (name === 'word' || name === 'equals') return operand;
  return { [operators[name] ?? name]: name === 'anythingBut' ? [operand].flat().map(matcherOf) : operand };
}
