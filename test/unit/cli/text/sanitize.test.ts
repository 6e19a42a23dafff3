import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { forTerminal, sanitize, sanitizeLines, toJson } from '../../../../cli/text/sanitize.ts';
import { assertProperty } from '../../../support/property.ts';

/** C0, DEL and C1, the controls of writing direction, line separators, and what is invisible. */
const steering = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\u200b\ufeff\u{e0000}-\u{e007f}]/u;

/** Texts as an attacker would write them, too: pieces of escape sequences between other characters. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\x1b', '\x1b[', '31m', '\x1b]0;', '\x07', '\x9b', '2J', '\u202e', '\r', '\ud800'),
    ),
  )
  .map((parts) => parts.join(''));

describe('sanitize', () => {
  it('lets no control character through, and changes nothing a second time', () => {
    assertProperty(
      fc.property(hostile, (text) => {
        expect(sanitize(text)).not.toMatch(steering);
        expect(sanitize(text).isWellFormed()).toBe(true);
        expect(sanitize(sanitize(text))).toBe(sanitize(text));
      }),
    );
  });

  it('keeps text of any script, also combined emoji', () => {
    const text = 'Olá, 你好, مرحبا, नमस्ते, 👩‍👩‍👧 👍🏽';
    expect(sanitize(text)).toBe(text);
  });

  /** Writes a text with the characters from a first one on, which no person sees. */
  const hide = (first: number) =>
    [...'ignore'].map((c) => String.fromCodePoint(first + c.charCodeAt(0))).join('');

  it.each([
    ['tags', hide(0xe0000)],
    ['variation selectors', hide(0xe0100)],
    ['few variation selectors', '\ufe00\ufe01\ufe0d'],
    ['selectors of emoji', '\ufe0f\ufe0e\ufe0f\ufe0f'],
    ['zero width spaces', '\u200b\u2060\ufeff\u180e'],
    ['joiners', '\u200c\u200d\u200d\u200c'],
    ['controls of direction', '\u202e\u2066\u2069\u200e\u061c'],
    ['fillers', '\u3164\u115f\uffa0\u034f\u00ad'],
    ['invisible operators', '\u2061\u2062\u2063\u2064'],
    ['characters of music', '\u{1d173}\u{1d17a}'],
  ])('removes a text that is hidden in %s', (_, hidden) => {
    expect(sanitize(`Yes${hidden} please`)).toBe('Yes please');
    expect(sanitize(hidden)).toBe('');
    expect(sanitize(`👍${hidden}`).length).toBeLessThanOrEqual(3);
  });

  it('keeps joiners and selectors where people see them', () => {
    for (const text of ['می‌خواهم', 'क्‍ष', '❤️', '🏳️‍🌈', '🕵🏽‍♂️', '1️⃣', '☎︎']) expect(sanitize(text)).toBe(text);
  });

  it('removes whole escape sequences', () => {
    expect(sanitize('a\x1b[31;1mred\x1b[0m b\x1b]0;title\x07c')).toBe('ared bc');
  });

  it('makes one line of several', () => {
    expect(sanitize('one\r\ntwo\u2028three\tfour')).toBe('one two three four');
    expect(sanitizeLines('one\x1b[2J\r\ntwo\x07')).toBe('one\ntwo');
  });

  it.each(['\x1b]', '\x1b[1', '\x1b[', '\x1bP', '\x1b ', '\x9d', '\x9b', '\x90a', '1;', ' '])(
    'reads a long text of %j to its end',
    (piece) => {
      expect(steering.test(sanitize(`\x1b[${piece.repeat(200_000)}`))).toBe(false);
    },
  );
});

describe('toJson', () => {
  it('equals JSON.stringify when parsed, and contains no control character except its line breaks', () => {
    assertProperty(
      fc.property(fc.dictionary(hostile, hostile), (value) => {
        const json = toJson(value);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)));
        for (const line of json.split('\n')) expect(line).not.toMatch(steering);
      }),
    );
  });
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const colour = /\x1b\[[\d;]*m/g;

describe('the output of a command that forgot to clean a text', () => {
  it('keeps colours, tabs and line breaks, and nothing else that a terminal obeys', () => {
    assertProperty(
      fc.property(hostile, (text) => {
        const shown = forTerminal(text)
          .replaceAll(colour, '')
          .replace(/[\t\n]|\r\n/g, '');
        expect(shown).not.toMatch(/\p{Cc}/u);
      }),
    );
    const wanted = '\x1b[32mdelivered\x1b[39m\tOlá 👩‍👩‍👧\r\nfailed\n';
    expect(forTerminal(wanted)).toBe(wanted);
    expect(forTerminal('a\x1b]52;c;cm0gLXJmIC8=\x07b\x1b[2Jc\rd\x9b1me')).toBe('abcde');
  });
});
