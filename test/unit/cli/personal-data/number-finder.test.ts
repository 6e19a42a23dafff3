import fc from 'fast-check';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { digitsIn, digitsOf, numberFinder } from '../../../../cli/personal-data/number-finder.ts';
import { assertProperty } from '../../../support/property.ts';

const phone = '+12025550143';
const mentions = numberFinder(phone);

/** Whether a text has the digits by which someone recognises the number who knows only a hash of them. */
function hasDigitsOf(number: string, text: string): boolean {
  const known = new Set(digitsOf(number));
  return [...digitsIn(text)].some((digits) => known.has(digits));
}

/** Base64 with a slash before the number. */
const slashed = Buffer.from(`ab??? to: ${phone}`).toString('base64');

describe('a number is found', () => {
  it.each([
    ['in E.164', 'to +12025550143.'],
    ['without "+"', '{"to":"12025550143"}'],
    ['as a number of JSON with an exponent', '{"to":1.2025550143E10}'],
    ['as a number of JSON with a fraction', '{"to":12025550143.0}'],
    ['with each byte percent-encoded', [...phone].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')],
    ['encoded twice', 'payload=%257B%2522to%2522%253A%2522%252B1%2520202%2520555%25200143%2522%257D'],
    ['with separators no one sees', '\u202a+1\u00a0202\u2011555\u200b0143\u202c'],
    ['as a URI', 'tel:+1-202-555-0143;ext=7'],
    ['in escapes of JSON', '"\\u002b1\\u00202\\u0030255\\u0035\\u0030143"'],
    ['with the slashes of PHP', '{"to":"202\\/555\\/0143"}'],
    ['with line breaks of JSON', '{"text":"202\\n5550143"}'],
    ['with tabs in JSON in JSON', JSON.stringify(JSON.stringify({ text: '202\t555\r\n0143' }))],
    ['with a form feed and a backspace in JSON', '"202\\f555\\b0143"'],
    ['with many separators', '202 -- ** 555 | * | 0143'],
    ['in base64 with the slashes of PHP', JSON.stringify(slashed).replaceAll('/', '\\/')],
    ['in entities of HTML', '&#43;1&nbsp;202&#x20;5550143'],
    ['with fillers of Hangul and blanks of Braille', '2ㅤ0\u115f2\u11605\uffa05⠀5ㅤㅤㅤ0143'],
    ['in Arabic digits', '+١ ٢٠٢ ٥٥٥ ٠١٤٣'],
    ['in the digits of Devanagari', '+१ २०२ ५५५ ०१४३'],
    ['in the digits of Adlam', '𞥒𞥐𞥒𞥕𞥕𞥕𞥐𞥑𞥔𞥓'],
    ['in digits of two scripts', '२०२555๐๑๔๓'],
    ['in keycaps', '2️⃣0️⃣2️⃣5️⃣5️⃣5️⃣0️⃣1️⃣4️⃣3️⃣'],
    ['in base64 behind one character of its alphabet', `x${Buffer.from(phone).toString('base64')}`],
    ['in base64 behind two characters of its alphabet', `id${Buffer.from(phone).toString('base64')}`],
    ['in base64 before characters of its alphabet', `${Buffer.from('2025550143').toString('base64url')}XYZ`],
    ['in base64 that is percent-encoded', `d=${encodeURIComponent(slashed)}`],
    ['in base64 with line breaks', `${slashed.slice(0, 17)}\r\n${slashed.slice(17)}`],
    ['in base64 with line breaks of JSON', JSON.stringify(`${slashed.slice(0, 17)}\r\n${slashed.slice(17)}`)],
    ['in base64 of Thai digits', Buffer.from('{"to":"๒๐๒๕๕๕๐๑๔๓"}').toString('base64')],
    ['between bytes that are no text', Buffer.from([255, ...Buffer.from(phone), 0, 254]).toString()],
  ])('%s', (_, text) => {
    expect(mentions(text)).toBe(true);
    expect(hasDigitsOf(phone, text)).toBe(true);
  });

  it.each([
    ['+5491112345678', '011 15-1234-5678'],
    ['+5491112345678', '+54 9 11 1234 5678'],
    ['+447700900123', '07700 900123'],
    ['+447700900123', '+44 (0) 7700 900123'],
    ['+390612345678', '06 1234 5678'],
    ['+5511912345678', '0 15 11 91234-5678'],
    ['+79161234567', '8 (916) 123-45-67'],
    ['+29022222', '+290 22222'],
    ['+525512345678', '+52 1 55 1234 5678'],
    ['+5215512345678', '55 1234 5678'],
    ['+5491123456789', '+54 11 2345-6789'],
    ['+541123456789', '+54 9 11 2345-6789'],
    ['+5511987654321', '+55 11 8765-4321'],
    ['+551187654321', '(11) 98765-4321'],
  ])('%s as %s', (number, written) => {
    expect(numberFinder(number)(`from: ${written},`)).toBe(true);
    expect(hasDigitsOf(number, `from: ${written},`)).toBe(true);
  });
});

it('finds a text that is not a number by its digits, or literally', () => {
  expect(numberFinder('(202) 555-0143')('{"to":"202 555 0143"}')).toBe(true);
  expect(numberFinder('Acme 24')('{"from":"Acme\\u002024"}')).toBe(true);
  expect(numberFinder('Acme 24')('{"from":"24"}')).toBe(false);
});

it('finds such a text only as a whole word', () => {
  expect(numberFinder('Bank')('{"from":"Bank","text":"Bankrupt"}')).toBe(true);
  expect(numberFinder('Bank')('{"text":"\\nBank"}')).toBe(true);
  expect(numberFinder('Bank')('Bankrupt, a Sandbank, eBank')).toBe(false);
  expect(numberFinder('+12')('to +12025550143')).toBe(false);
  expect(numberFinder('+12')('from=%2B12&to=x')).toBe(true);
  expect(numberFinder('25550')('{"id":"+12025550143"}')).toBe(false);
  expect(numberFinder('A.B (c)')('A.B (c)')).toBe(true);
  expect(numberFinder('A.B (c)')('AxB (c)')).toBe(false);
});

// What libphonenumber accepts between the digits of a number (VALID_PUNCTUATION), and letters that look like a dash.
it.each([...'-‐‑‒–—―−ー－／/．. \u00a0\u00ad\u200b\u2060\u3000()（）［］[]~⁓∼～ｰˑ'])(
  'finds a number with "%s" between its digits',
  (separator) => {
    const written = `202${separator}555${separator}0143`;
    expect(mentions(written)).toBe(true);
    expect(hasDigitsOf(phone, written)).toBe(true);
  },
);

describe('another number is not found', () => {
  it.each(['+12025550144', '+1 202 555 01439', '2025550142', '2025-01-15T02:02:55.500Z', ''])(
    '%s',
    (text) => {
      expect(mentions(text)).toBe(false);
    },
  );

  it('nor the end of a long id', () => {
    expect(mentions('{"id":"17684784050002025550143"}')).toBe(false);
  });

  it('nor a date that holds the few digits of a number on a small island', () => {
    expect(numberFinder('+29022222')('{"id":22222}')).toBe(false);
  });
});

const separators = ['', '', '', ' ', '-', '.', '/', ' (', ') ', '\u00a0', '\u2011', ', ', '\n', '\t', ' | '];
const separator = fc.constantFrom(...separators);
const encode = fc.constantFrom(
  (text: string) => text,
  (text: string) => JSON.stringify({ to: text }),
  (text: string) => JSON.stringify(JSON.stringify({ to: text })),
  (text: string) => new URLSearchParams({ to: text }).toString(),
  (text: string) => `to=${encodeURIComponent(JSON.stringify({ to: text }))}`,
  (text: string) => JSON.stringify({ bodyBase64: Buffer.from(`{"to":"${text}"}`).toString('base64') }),
  (text: string) => `/hooks/${Buffer.from(text).toString('base64')}`,
  (text: string) => JSON.stringify({ token: `v1_${Buffer.from(text).toString('base64url')}` }),
  (text: string) => Buffer.from(text, 'utf16le').toString(),
  (text: string) => [...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
);

const numbers = fc.oneof(
  fc.integer({ min: 0, max: 9999 }).map((last) => `+1202555${String(last).padStart(4, '0')}`),
  fc.constantFrom('+5511912345678', '+447700900123', '+4915112345678', '+919876543210', '+6591234567'),
);

/** The digits of a number with anything of the sort people write between them. */
const spelling = (number: string) => {
  const national = parsePhoneNumberFromString(number)?.nationalNumber ?? '';
  const calling = number.slice(1, -national.length);
  const before = fc.constantFrom('', `+${calling}`, calling, `00${calling} `, `+${calling} (0)`, '0');
  return fc
    .tuple(before, fc.array(separator, { minLength: national.length, maxLength: national.length }))
    .map(
      ([prefix, between]) => prefix + [...national].map((d, i) => (i === 0 ? d : between[i] + d)).join(''),
    );
};

it('is found in any spelling and encoding', () => {
  assertProperty(
    fc.property(
      numbers.chain((number) => fc.tuple(fc.constant(number), spelling(number))),
      encode,
      ([number, written], encoded) => {
        expect(numberFinder(number)(encoded(written))).toBe(true);
      },
    ),
    { numRuns: 200 },
  );
});

it('is not found among other numbers', () => {
  assertProperty(
    fc.property(numbers, numbers, encode, (number, other, encoded) => {
      fc.pre(number !== other);
      expect(numberFinder(number)(encoded(other))).toBe(false);
    }),
    { numRuns: 200 },
  );
});

it.each([
  '2',
  'Mj',
  'MjAyNTU1MDE0M\\n',
  '२',
  '%4d%6a',
  '2\u20e3',
  '20255501 -( ',
  '1.',
  '%32',
  'ab',
  '1e9 ',
  '\\u0032',
  '\\',
  '\\/2',
  '2 | * : ; ',
])('is not found in a long text of %s', (part) => {
  expect(mentions(part.repeat(250_000 / part.length))).toBe(false);
});

it.each([291_990, 291_999, 299_990, 299_999, 583_995, 592_000])(
  'is found in a text that is read in parts, at unit %d',
  (position) => {
    const text = `${'to: '.repeat(position / 4)}${phone} ${'to: '.repeat(100_000)}`;
    expect(mentions(text)).toBe(true);
  },
);

it('accepts any text', () => {
  assertProperty(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      mentions(text);
      expect(mentions(`${text} ${phone} ${text}`)).toBe(true);
    }),
  );
});

it('the digits in a text are read in linear time and memory', () => {
  const sliced = vi.spyOn(String.prototype, 'slice');
  onTestFinished(() => sliced.mockRestore());
  const workFor = (groups: number) => {
    sliced.mockClear();
    for (const _ of digitsIn('7 3 0 9 '.repeat(groups / 4)));
    const digits = sliced.mock.contexts.map(String).filter((text) => /^\d+$/.test(text));
    return digits.reduce((sum, text) => sum + text.length, 0);
  };
  const short = workFor(1000);
  expect(workFor(4000)).toBeLessThan(5 * short);
});
