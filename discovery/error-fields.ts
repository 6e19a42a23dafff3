import { outcomeOf, rankOf } from '../contract/schema/sms-event.ts';
import { type Column, filled, isBlank, type Scalar } from './captured/columns.ts';
import { nameWeight, roleNames } from './captured/field-names.ts';
import { describedCodes } from './described-codes.ts';
import {
  type Candidate,
  documentedWeight,
  minScore,
  type Proposal,
  proposal,
  propose,
  rankColumns,
} from './proposal.ts';
import { guessStatus } from './words.ts';

/** Codes and texts that services send if there is no error, in lower case without separators. */
const noErrorWords =
  /^(?:0*|none|null|nil|na|no|ok|okay|success|successful|noerrors?|(?:the|your)?(?:sms)?(?:message)?(?:was|is|has)?(?:been)?(?:successfully)?(?:delivered|sent|accepted|queued)(?:successfully|to(?:handset|gateway|operator|carrier|network|phone|recipient))?)$/;

/** Reports whether a value says that there is no error: a documented word such as `NO_ERROR`, or the status of a success. */
function isNoError(value: Scalar): boolean {
  const text = String(value);
  if (noErrorWords.test(text.toLowerCase().replace(/[^a-z0-9]/g, ''))) return true;
  const guess = guessStatus(text);
  return (
    guess?.isWhole === true && outcomeOf(rankOf(guess.status)) !== 'failure' && guess.status !== 'unknown'
  );
}

/**
 * What the status of each report says: whether the message failed. Undefined if its word is unknown.
 *
 * @param words the fields with the status, of which the first one that a report has counts
 * @param columns the fields that may describe a code
 */
function failuresOf(words: readonly Column[], columns: readonly Column[]): (boolean | undefined)[] {
  const [first] = words;
  const values = (first?.values ?? []).map((_, index) =>
    words.map((word) => word.values[index]).find((value) => !isBlank(value)),
  );
  const described = describedCodes(values, columns);
  return values.map((value) => {
    const guess =
      value === undefined ? undefined : (guessStatus(String(value)) ?? described.get(String(value)));
    const outcome = guess === undefined ? 'unknown' : outcomeOf(rankOf(guess.status));
    return outcome === 'unknown' ? undefined : outcome === 'failure';
  });
}

/** How a field about errors behaves in reports of failures and in others. */
interface Behaviour {
  /** Whether reports of failures, and only those, hold an error. */
  readonly marksFailures: boolean;
  /** Whether a report of a message that did not fail holds something that could be an error. */
  readonly contradicts: boolean;
}

function behaviourOf({ values }: Column, failures: readonly (boolean | undefined)[]): Behaviour {
  const hasError = (value: Scalar | undefined) => value !== undefined && !isBlank(value) && !isNoError(value);
  const at = (isFailure: boolean) => values.filter((_, index) => failures[index] === isFailure);
  const contradicts = at(false).some(hasError);
  return {
    contradicts,
    marksFailures: !contradicts && at(false).length > 0 && at(true).length > 0 && at(true).every(hasError),
  };
}

function candidatesFor(
  columns: readonly Column[],
  names: ReadonlyMap<string, number>,
  fits: (value: Scalar) => boolean,
  failures: readonly (boolean | undefined)[],
): Candidate[] {
  return rankColumns(columns, {
    names,
    fits: (value) => fits(value) || isNoError(value),
    bonus: (column) => {
      const { marksFailures, contradicts } = behaviourOf(column, failures);
      const isEverywhere = column.values.length > 1 && column.values.every((value) => value !== undefined);
      const isWeak =
        nameWeight(column.name, names) < 70 && isEverywhere && !marksFailures && failures.includes(false);
      return (marksFailures ? 20 : 0) - (contradicts ? 40 : 0) - (isWeak ? 30 : 0);
    },
  });
}

/** A field with a convincing name that is empty in every event: its value is still unknown. */
function emptyField(columns: readonly Column[], names: ReadonlyMap<string, number>): Column | undefined {
  return columns.find(
    (column) => filled(column).length === 0 && nameWeight(column.name, names) >= documentedWeight,
  );
}

/**
 * Proposes the fields about the error of a report. A code that says "no error" is kept out by a condition, and so is the description of a
 * success.
 *
 * @param words the fields with the status, which shows the reports of failures
 */
export function proposeErrorFields(
  columns: readonly Column[],
  words: readonly Column[],
): readonly Proposal[] {
  const others = columns.filter((column) => !words.includes(column));
  const failures = failuresOf(words, others);
  const named = candidatesFor(others, roleNames.errorCode, isCode, failures);
  // Some services write the code where others write the text.
  const [code, ...codes] =
    named.length > 0
      ? named
      : candidatesFor(others, roleNames.errorText, isCode, failures)
          .filter(({ column }) => filled(column).some((value) => !isNoError(value)))
          .map((one) => ({
            ...one,
            weight: 0,
            score: minScore,
          }));
  const texts = candidatesFor(others, roleNames.errorText, isWords, failures).filter(
    ({ column }) => column !== code?.column,
  );
  const conditions = code === undefined ? [] : conditionsOf(code.column, failures);
  return [
    proposeField('events.status.errorCode', code === undefined ? [] : [code, ...codes], conditions),
    proposeField('events.status.errorText', texts, textConditions(texts[0], code, conditions, failures)),
  ];

  function proposeField(
    key: string,
    candidates: readonly Candidate[],
    only: readonly string[] | undefined,
  ): Proposal {
    const [best] = candidates;
    const isCodeField = key.endsWith('Code');
    if (best === undefined) {
      const empty = emptyField(others, isCodeField ? roleNames.errorCode : roleNames.errorText);
      if (empty !== undefined)
        return proposal(key, empty.path, false, { note: 'it is empty in every captured event' });
      const isNamed = others.some(
        (column) => nameWeight(column.name, isCodeField ? roleNames.errorCode : roleNames.errorText) >= 60,
      );
      const isSeen =
        failures.includes(true) &&
        failures.includes(false) &&
        !isNamed &&
        !others.some((column) => behaviourOf(column, failures).marksFailures);
      return proposal(
        key,
        null,
        isSeen,
        isSeen ? {} : { note: 'no captured report of a failure has a field that is certainly it' },
      );
    }
    const proposed = propose(candidates, {
      key,
      isRequired: false,
      ...(isCodeField ? {} : { exampleOf: 'text' }),
    });
    const { path } = best.column;
    if (only === undefined)
      return {
        ...proposed,
        value: null,
        isCertain: false,
        rivals: [path, ...proposed.rivals],
        note: 'it also describes successes, and no code shows which are errors',
      };
    const behaviour = behaviourOf(best.column, failures);
    const isShown =
      behaviour.marksFailures || (isCodeField && best.weight >= documentedWeight && failures.includes(false));
    return {
      ...proposed,
      value: only.length === 0 ? path : `${only.join(' && ')} && ${path} || \`null\``,
      isCertain: proposed.isCertain && isShown && !behaviour.contradicts,
    };
  }
}

/** Returns conditions that keep out what the field holds without an error. */
function conditionsOf(column: Column, failures: readonly (boolean | undefined)[]): string[] {
  const values = filled(column);
  const words = [...new Set(values.filter((value) => isNoError(value) && !/^0*$/.test(String(value))))];
  // If no success was captured, the code may well be 0 there.
  const needsZero = values.some((value) => /^0+$/.test(String(value))) || !failures.includes(false);
  return [
    ...(needsZero ? [`to_number(${column.path}) != \`0\``] : []),
    ...words.map((value) => `${column.path} != ${literal(value)}`),
  ];
}

/** Returns the conditions for the text of an error; undefined if nothing shows when the text is about an error. */
function textConditions(
  text: Candidate | undefined,
  code: Candidate | undefined,
  conditions: readonly string[],
  failures: readonly (boolean | undefined)[],
): readonly string[] | undefined {
  if (text === undefined) return [];
  const describesSuccess =
    filled(text.column).some(isNoError) ||
    behaviourOf(text.column, failures).contradicts ||
    (code !== undefined && !failures.includes(false));
  if (!describesSuccess) return [];
  if (code !== undefined) return conditions.length > 0 ? conditions : [code.column.path];
  return behaviourOf(text.column, failures).contradicts ? undefined : conditionsOf(text.column, failures);
}

function literal(value: Scalar): string {
  return typeof value === 'string' && /^[^'\\`]*$/.test(value)
    ? `'${value}'`
    : `\`${JSON.stringify(value).replaceAll('`', '\\`')}\``;
}

function isCode(value: Scalar): boolean {
  return (typeof value === 'number' || typeof value === 'string') && /^\S{1,64}$/.test(String(value));
}

function isWords(value: Scalar): boolean {
  return typeof value === 'string' && /[A-Za-z]{2}/.test(value);
}
