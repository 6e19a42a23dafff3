import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeywords } from '../../../../functions/core/opt-out/keyword.ts';
import { keywordOf, shippedKeywords } from '../../../support/keywords.ts';

// Area codes that nobody has.
const brazilian = '+5500955550143';
const mexican = '+520005550143';
const french = '+33000555014';
const american = '+12025550143';

describe('a reply is a keyword', () => {
  it.each([
    ['STOP', 'stop'],
    ['stop', 'stop'],
    [' Stop.\n', 'stop'],
    ['“Sair!”', 'stop'],
    ['arrêt', 'stop'],
    ['ARRE\u0302T', 'stop'],
    ['opt out', 'stop'],
    ['Opt-out.', 'stop'],
    ['STOP ALL', 'stop'],
    ['STOP\u200b', 'stop'],
    ['Voltar', 'start'],
    ['start', 'start'],
    ['ayuda?', 'help'],
  ])('whatever its case, accents and punctuation: %j', (text, keyword) => {
    expect(keywordOf(text)).toBe(keyword);
  });

  it.each([
    'stop texting me',
    'Please STOP',
    'STOP STOP',
    'stopped',
    'no',
    '',
    '!',
    `stop${' '.repeat(100)}`,
    'constructor',
  ])('only where it is nothing else: %j', (text) => {
    expect(keywordOf(text)).toBeUndefined();
  });

  it('is always the one the list says, however it is written', () => {
    const entries = [shippedKeywords.everywhere, ...Object.values(shippedKeywords.countries)].flatMap(
      (words) =>
        (['stop', 'start', 'help'] as const).flatMap((kind) => words[kind].map((word) => [word, kind])),
    );
    const mark = fc.constantFrom('', ' ', '.', '!', '\n', '\u0301', '\u200d', '-', '”');
    fc.assert(
      fc.property(
        fc.constantFrom(...entries),
        fc.func(fc.boolean()),
        fc.func(mark),
        ([word = '', kind], low, put) => {
          const written = [...word]
            .map((letter, index) => (low(index) ? letter.toLowerCase() : letter) + put(index))
            .join('');
          expect(keywordOf(written)).toBe(kind);
        },
      ),
    );
  });
});

describe("the country of the replier's number", () => {
  it.each([
    ['SAIR', brazilian, 'stop'],
    ['stop', brazilian, 'stop'],
    ['BAJA', brazilian, undefined],
    ['baja', mexican, 'stop'],
    ['ARRET', mexican, undefined],
    ['ayuda', mexican, 'help'],
    ['arrêt', french, 'stop'],
    ['alto', french, undefined],
  ] as const)('has words of its own besides those of everywhere: %s from %s', (text, phone, keyword) => {
    expect(keywordOf(text, phone)).toBe(keyword);
  });

  it.each([american, '+80055550143', '55501', 'SHOPNAME', ''])(
    'lets every word count where it is not listed or not known: %j',
    (phone) => {
      for (const text of ['SAIR', 'BAJA', 'ARRET', 'STOP']) expect(keywordOf(text, phone)).toBe('stop');
      expect(keywordOf('VOLTAR', phone)).toBe('start');
    },
  );

  it('decides where a word means two things; nobody knows it: stop counts, then help', () => {
    const none = { stop: [], start: [], help: [] };
    const disputed = createKeywords({
      everywhere: { ...none, stop: ['STOP'] },
      countries: {
        BR: { ...none, start: ['VALE', 'OI'] },
        MX: { ...none, stop: ['VALE'], help: ['OI'] },
      },
    });
    expect([disputed('vale', brazilian), disputed('vale', mexican), disputed('vale')]).toEqual([
      'start',
      'stop',
      'stop',
    ]);
    expect(disputed('oi')).toBe('help');
  });
});
