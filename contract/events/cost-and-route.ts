// How the cost and the route in a delivery report are read. A value that cannot be read gives undefined, so that it never makes a report
// unreadable.

/** The digits before and after the point, and the exponent. JSON numbers below 0.000001 are written with one. */
const decimal = /^[+-]?(\d{0,40})\.?(\d{0,40})(?:e([+-]?\d{1,2}))?$/i;

/** With at most this many digits before the point, millionths of a price are exact as a number. */
const maxWholeDigits = 9;
const maxFractionDigits = 30;

/**
 * Reads a price. Its sign is left out, because some services write what they debit with a minus: `-0.00750` is `0.0075`.
 *
 * @param value a number, or a decimal number as text
 */
export function readPrice(value: unknown): string | undefined {
  const [matched, before = '', after = '', exponent = '0'] = decimal.exec(textOf(value)) ?? [];
  if (matched === undefined || before + after === '') return undefined;
  const shift = Number(exponent);
  const digits = `${'0'.repeat(Math.max(0, -shift))}${before}${after}${'0'.repeat(Math.max(0, shift))}`;
  const point = Math.max(0, -shift) + before.length + shift;
  const whole = digits.slice(0, point).replace(/^0+/, '');
  const fraction = digits.slice(point).replace(/0+$/, '');
  if (whole.length > maxWholeDigits || fraction.length > maxFractionDigits) return undefined;
  return `${whole || '0'}${fraction === '' ? '' : `.${fraction}`}`;
}

/** The currencies of ISO 4217, and their predecessors, as Unicode CLDR lists them. */
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Reads a currency of ISO 4217, in capitals or small letters. */
export function readCurrency(value: unknown): string | undefined {
  const code = textOf(value).toUpperCase();
  return currencies.has(code) ? code : undefined;
}

/** The parts of a concatenated message are numbered in one byte (3GPP TS 23.040, section 9.2.3.24.1). */
const maxSegments = 255;

/** Reads the number of parts. @param value a whole number, or its digits as text */
export function readSegments(value: unknown): number | undefined {
  const text = textOf(value);
  const segments = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return segments >= 1 && segments <= maxSegments ? segments : undefined;
}

/** Reads the codes of a network: `310410`, `310-410` or `310 410`. */
export function readNetwork(value: unknown): string | undefined {
  const [, country, network] = /^(\d{3})[ -]?(\d{2,3})$/.exec(textOf(value)) ?? [];
  return country === undefined ? undefined : `${country}${network}`;
}

/** Reads the name of a network. */
export function readCarrier(value: unknown): string | undefined {
  return textOf(value) || undefined;
}

/** JavaScript adds decimal numbers with an error in the 17th digit. An expression of a contract may add two prices. */
const exactDigits = 15;

function textOf(value: unknown): string {
  if (typeof value === 'number') return String(Number(value.toPrecision(exactDigits)));
  return typeof value === 'string' ? value.trim() : '';
}
