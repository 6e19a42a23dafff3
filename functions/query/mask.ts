import { maskDigits, maskPhone } from '../../contract/phone/phone-key.ts';

/** The properties of answers that hold a number, in any notation. */
const numbers: ReadonlySet<string> = new Set(['phone', 'number', 'from', 'to']);

/** The properties that hold a text of a person or of the service, which may name a number. */
const texts: ReadonlySet<string> = new Set(['text', 'errorText', 'reason']);

/** Shorter runs of digits in a text are codes, prices and times. */
const minDigits = 6;

/** Ranges of times have properties of the same names. */
const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

const e164 = /^\+[1-9]\d{6,14}$/;

/**
 * Masks every number of an answer. A property that this file does not know is masked too where its text is a number in E.164, so that an
 * answer with new properties shows none by mistake.
 */
export function masked<T>(answer: T): T {
  return maskValue('', answer) as T;
}

function maskValue(name: string, value: unknown): unknown {
  if (typeof value === 'string') return maskText(name, value);
  if (Array.isArray(value)) return value.map((one) => maskValue(name, one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskValue(key, inner)]));
}

function maskText(name: string, text: string): string {
  if (time.test(text)) return text;
  if (numbers.has(name) || e164.test(text)) return maskPhone(text);
  return texts.has(name) ? maskDigits(text, minDigits) : text;
}
