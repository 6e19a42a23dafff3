import type { DetailType } from '../../functions/core/bus/detail-types.ts';
import type { Details } from '../../functions/core/bus/details.ts';
import type { CanonicalStatus } from '../../functions/core/statuses.ts';

/** At least one: a rule with an empty list matches nothing, and EventBridge refuses it. */
export type AtLeastOne<T> = readonly [T, ...T[]];

/** One value or several, of which any may be met. */
export type OneOrMore<T> = T | AtLeastOne<T>;

/** Exactly one of these properties: EventBridge takes one operator at a time. */
export type ExactlyOne<Choices> = {
  readonly [K in keyof Choices]: { readonly [P in K]: Choices[P] } & {
    readonly [P in Exclude<keyof Choices, K>]?: never;
  };
}[keyof Choices];

/** A status by its canonical name, or `{ word }`: the service's own, where the contract does not list it. */
export type StatusValue = CanonicalStatus | { readonly word: string };

/** Operators on text. `wildcard` takes `*` for any characters, and `\*` for a star. */
export interface TextOperators {
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
