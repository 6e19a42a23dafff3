import type { EventPattern } from 'aws-cdk-lib/aws-events';
import type { CanonicalStatus } from '../../contract/schema/sms-event.ts';
import type { Details } from '../../functions/bus/details.ts';
import { type DetailType, detailTypes, eventSource } from '../../functions/bus/event-types.ts';

/** At least one: a rule with an empty list matches nothing, and EventBridge refuses it. */
type AtLeastOne<T> = readonly [T, ...T[]];

/** One value or several, of which any may be met. */
type OneOrMore<T> = T | AtLeastOne<T>;

/** Exactly one of these properties: EventBridge takes one operator at a time. */
type ExactlyOne<Choices> = {
  readonly [K in keyof Choices]: { readonly [P in K]: Choices[P] } & {
    readonly [P in Exclude<keyof Choices, K>]?: never;
  };
}[keyof Choices];

/** A status by its canonical name, or `{ word }`: the service's own, where the contract does not list it. */
export type StatusValue = CanonicalStatus | { readonly word: string };

/** Operators on text. `wildcard` takes `*` for any characters, and `\*` for a star. */
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

/** None but these values; an event without the field is no match. */
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
 * What the detail of an event must hold: every field given must match, by any of its values. Each field takes values of its
 * own type and the operators that make sense for it.
 */
export type DetailFilter<T extends DetailType> = {
  readonly [F in keyof Details[T]]?: FieldFilter<F, Details[T][F]>;
};

/** Which changes of a message's status; `{}` means all of them. */
export type DeliveryStatusFilter = DetailFilter<typeof detailTypes.statusChanged>;

/** How the text of a reply reads; case matters but for `equalsIgnoreCase`. */
export type TextMatch = ExactlyOne<{ readonly equals: string } & TextOperators>;

/** Which replies; `{}` means all of them. */
export type ReplyFilter = Omit<DetailFilter<typeof detailTypes.replyReceived>, 'text'> & {
  /** One or several, of which any may be met. Texts longer than 10,000 characters are compared cut. */
  readonly textMatches?: OneOrMore<TextMatch>;
};

/** Events of one detail type, filtered by its own fields. */
type EventsOf<T extends DetailType> = {
  readonly [K in T]: { readonly detailType: K; readonly detail?: DetailFilter<K> };
}[T];

/** Events of one detail type, filtered if need be, or all events of several. */
export type EventFilter =
  | EventsOf<DetailType>
  | { readonly detailType: AtLeastOne<DetailType>; readonly detail?: never };

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

/** The pattern of a rule for these events of the pipeline, and for nobody else's. */
export function eventPattern({ detailType, detail }: EventFilter): EventPattern {
  return patternOf([detailType].flat(), detail ?? {});
}

/** The pattern of a rule for replies. */
export function replyPattern({ textMatches, ...fields }: ReplyFilter): EventPattern {
  const text = textMatches === undefined ? {} : { text: textMatches };
  return patternOf([detailTypes.replyReceived], { ...fields, ...text });
}

function patternOf(detailType: DetailType[], detail: Readonly<Record<string, unknown>>): EventPattern {
  const fields = Object.entries(detail).map(([field, filter]) => [field, [filter].flat().map(matcherOf)]);
  return {
    source: [eventSource],
    detailType,
    ...(fields.length === 0 ? {} : { detail: Object.fromEntries(fields) }),
  };
}

function matcherOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const [[name, operand] = ['', undefined]] = Object.entries(value);
  if (name === 'word' || name === 'equals') return operand;
  return { [operators[name] ?? name]: name === 'anythingBut' ? [operand].flat().map(matcherOf) : operand };
}
