import type { CanonicalStatus } from '../contract/schema/sms-event.ts';
import type { Column, Scalar } from './captured/columns.ts';
import { nameWeight, roleNames } from './captured/field-names.ts';
import { guessStatus } from './words.ts';

/** What a code means by a text beside it. */
interface Description {
  readonly status: CanonicalStatus;
  readonly text: string;
  /** JMESPath to the text. */
  readonly path: string;
}

/** Reports whether a field is named like a status, or like a description of it. */
function isNamedLikeDescription({ name }: Column): boolean {
  return nameWeight(name, roleNames.status) >= 50 || nameWeight(name, roleNames.errorText) >= 60;
}

/**
 * Finds what the codes of reports mean by a field beside them that describes the status: `"status": "03", "statusMessage": "Delivered"`.
 *
 * @param codes the status of each report
 * @param columns the fields of the reports
 */
export function describedCodes(
  codes: readonly (Scalar | undefined)[],
  columns: readonly Column[],
): ReadonlyMap<string, Description> {
  for (const { path, values } of columns.filter(isNamedLikeDescription)) {
    const found = new Map<string, Description>();
    const isDescription = values.every((value, index) => {
      const code = codes[index];
      if (value === undefined || code === undefined) return true;
      const guess = guessStatus(String(value));
      const before = found.get(String(code));
      if (guess === undefined || (before !== undefined && before.status !== guess.status)) return false;
      found.set(String(code), { status: guess.status, text: String(value), path });
      return true;
    });
    if (isDescription && found.size > 0) return found;
  }
  return new Map();
}
