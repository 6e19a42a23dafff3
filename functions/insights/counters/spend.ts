// Spend is counted in millionths of a currency, because sums of whole numbers are exact and can be subtracted again.

/** The digits of a price after the point that count. */
const countedDigits = 6;

/** Returns a price in millionths, rounded half up. @param price a decimal number as text, without sign and exponent, below 1,000,000,000 */
export function millionthsOf(price: string): number {
  const [whole = '', fraction = ''] = price.split('.');
  const digits = fraction.padEnd(countedDigits + 1, '0');
  const isRoundedUp = digits.charAt(countedDigits) >= '5';
  return Number(whole + digits.slice(0, countedDigits)) + (isRoundedUp ? 1 : 0);
}

/** Returns millionths as a decimal number without trailing zeros: `12.3456`. */
export function decimalOf(millionths: number): string {
  const digits = String(millionths).padStart(countedDigits + 1, '0');
  const fraction = digits.slice(-countedDigits).replace(/0{1,6}$/, '');
  return `${digits.slice(0, -countedDigits)}${fraction === '' ? '' : `.${fraction}`}`;
}
