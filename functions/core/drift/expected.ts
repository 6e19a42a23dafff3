import type { JsonType } from './json-type.ts';

/** What the samples of a contract have in one field of one kind of event. */
export interface ExpectedField {
  /** The types of its values. */
  readonly types: readonly JsonType[];
  /** Whether every sample has a value. */
  readonly always: boolean;
  /** Whether every value could be read as a phone number. */
  readonly phone: boolean;
}

/**
 * What events look like by the samples of a contract, by kind and field; a kind that no sample has is not in it. Functions get this
 * instead of the samples.
 */
export type Expected = Readonly<
  Partial<Record<'sms.status' | 'sms.reply', Readonly<Record<string, ExpectedField>>>>
>;

/** Whether an expression found something. Only the text of a reply may be empty. */
export function isPresent(field: string, value: unknown): boolean {
  if (value === null || value === undefined) return false;
  return typeof value !== 'string' || field === 'text' || value.trim() !== '';
}
