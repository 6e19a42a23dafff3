// What a spreadsheet leaves in a file that it opened and saved. Excel and others read a cell of digits as a number, show a long one as
// 4.47912E+11, and keep 15 digits of it.

/** Why a value is not what the service exported. */
export type SpreadsheetProblem =
  | 'scientific-notation'
  | 'number-with-decimals'
  | 'spreadsheet-formula'
  | 'spreadsheet-error';

/** A mantissa with an exponent: `4.47912E+11`, `4,47912E+11`, `1E+17`. */
const scientific = /^[+-]?\d+(?:[.,]\d*)?E[+-]?\d+$/i;

/** An id may be hexadecimal, such as `1E17`, so its notation needs a separator or a sign. */
const scientificId = /^[+-]?\d+(?:[.,]\d*E[+-]?|E[+-])\d+$/i;

/** Seven digits or more with a fraction of zeros: `12025550143.0`. Read as a phone number, the zero would be a digit of it. */
const withDecimals = /^\+?\d{7,}[.,]0+$/;

const errorValue = /^#(?:NAME\?|VALUE!|REF!|N\/A|NUM!|DIV\/0!|NULL!|#+)$/i;

/** Returns why a text cannot be an id or the number of a recipient; undefined if it can. */
export function spreadsheetProblem(
  field: 'messageId' | 'sendId' | 'recipient',
  value: string,
): SpreadsheetProblem | undefined {
  const text = value.trim();
  if (errorValue.test(text)) return 'spreadsheet-error';
  if (text.startsWith('=')) return 'spreadsheet-formula';
  if (field !== 'recipient') return scientificId.test(text) ? 'scientific-notation' : undefined;
  // An apostrophe marks a cell as a text.
  const number = text.replace(/^'/, '');
  if (scientific.test(number)) return 'scientific-notation';
  return withDecimals.test(number) ? 'number-with-decimals' : undefined;
}

/** Reports whether an id has more digits than a spreadsheet keeps, and only zeros after those. Ids of a service may also end so. */
export function mayBeRounded(id: string): boolean {
  return /^\d{15}0+$/.test(id.trim());
}
