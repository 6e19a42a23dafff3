import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeywords } from '../../../../../functions/history/opt-out/keyword.ts';
import { keywordOf, shippedKeywords } from '../../../../../tools/support/keywords.ts';
import { assertProperty } from '../../../../support/property.ts';

// Area codes that are not in use.
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
    ['STOP 🛑', 'stop'],
    ['STOP\u3164', 'stop'],
    ['\u115fST\u1160OP\uffa0', 'stop'],
    ['\u2800STOP\u2800', 'stop'],
    ['> START\n\u3164\nSTOP', 'stop'],
    ['✋🏽 stop ✋🏽', 'stop'],
    ['👨‍👩‍👧‍👦STOP❤️', 'stop'],
    ['Stop+', 'stop'],
    ['s~t~o~p', 'stop'],
    ['STOP™', 'stop'],
    ['ＳＴＯＰ', 'stop'],
    ['ｓｔｏｐ．', 'stop'],
    ['𝗦𝗧𝗢𝗣', 'stop'],
    [`stop${' '.repeat(100)}`, 'stop'],
    [`stop${'🛑'.repeat(100)}`, 'stop'],
    ['Voltar', 'start'],
    ['start', 'start'],
    [' Start.\n', 'start'],
    ['“Start!”', 'start'],
    ['(UNSTOP)', 'start'],
    ['*start*', 'start'],
    ['ｓｔａｒｔ！', 'start'],
    ['𝗦𝗧𝗔𝗥𝗧', 'start'],
    ['START\u200b\u3164', 'start'],
    ['Vóltar', 'start'],
    ['non\u00adarrêt', 'start'],
    ['ayuda?', 'help'],
    ['>> STOP <<', 'stop'],
    ['> START\nSTOP', 'stop'],
    ['START\n> Reply STOP to end', 'start'],
    ['Ⓢⓣⓞⓟ', 'stop'],
    ['⒮⒯⒪⒫', 'stop'],
    ['🄢🄣🄞🄟', 'stop'],
    ['🅂🅃🄾🄿', 'stop'],
    ['🅢🅣🅞🅟!', 'stop'],
    ['🆂🆃🅾️🅿️', 'stop'],
    ['ST🅾️P', 'stop'],
    [`stop${' '.repeat(10_000)}`, 'stop'],
    [`${'\n'.repeat(10_000)}STOP${'!'.repeat(1000)}`, 'stop'],
    [`START${' '.repeat(10_000)}`, 'start'],
    ['>> 🆂🆃🅾🅿 <<', 'stop'],
    ['> START\n🆂🆃🅾🅿', 'stop'],
    ['> HELP\n🆂🆃🅾🅿', 'stop'],
    ['🆂🆃🅾🅿\n> Reply STOP to end', 'stop'],
    ['Ⓗⓔⓛⓟ', 'help'],
    // These are emoji too.
    ['STOP Ⓜ️🅰️🅿️', 'stop'],
  ])('in any case, with any accents and punctuation: %j', (text, keyword) => {
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
    'STOP 2',
    'STОР',
    '🛑',
    'constructor',
    // In doubt a quote alone opts nobody in.
    '> START',
    '>> START <<',
    `START${'\u0301'.repeat(30)}\u20e0`,
    `START${'\u0301'.repeat(30)}\u0336`,
    // Nor do letters that are symbols.
    '🅂🅃🄰🅁🅃',
    'STⒶRT',
    'START Ⓢⓣⓞⓟ',
    '🆂🆃🅾🅿 start',
    '🅽🅾 start',
    // Nor does a start word that is not alone, or not one word.
    'Non, arrêt',
    'NON\nARRET',
    'non arrêt!',
    'UN STOP',
    'un. stop',
    'un-stop',
    'S T A R T',
    're-start',
    'vol tar',
    'start?',
    'START？',
    '¿start',
    '🚫 START',
    '❌START',
    'START 🛑',
    'START ⛔',
    '🅿️ start',
    '≠START',
    '~~START~~',
    'S\u0336T\u0336A\u0336R\u0336T\u0336',
    'START\u20e0',
    // The flag of Chad has the letters TD, a word of Canada.
    '🇹🇩',
    '🇸🇹 OP',
  ])('only without any other words: %j', (text) => {
    expect(keywordOf(text)).toBeUndefined();
  });

  const entries = [shippedKeywords.everywhere, ...Object.values(shippedKeywords.countries)].flatMap((words) =>
    (['stop', 'start', 'help'] as const).flatMap((kind) => words[kind].map((word) => [word, kind] as const)),
  );
  const fullWidth = (letter: string) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0);
  const style = fc.constantFrom(
    (letter: string) => letter,
    (letter: string) => letter.toLowerCase(),
    fullWidth,
    (letter: string) => fullWidth(letter.toLowerCase()),
  );
  /** Any character but letters and digits: punctuation, symbols, emoji, accents, spaces, joiners, controls. */
  const decoration = fc
    .array(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 3 }).map((text) => text.replace(/[\p{L}\p{N}>]/gu, '')),
        fc.constantFrom(
          '.',
          '!',
          '+',
          ' ',
          '🛑',
          '❤️',
          '✋🏽',
          '\u0301',
          '\u200d',
          '\ufe0f',
          '™',
          '℠',
          '´',
          '…',
        ),
      ),
      { maxLength: 4 },
    )
    .map((parts) => parts.join(''));

  it('in the canonical form of the list, for any spelling and decoration of words for stop and help', () => {
    assertProperty(
      fc.property(
        fc.constantFrom(...entries.filter(([, kind]) => kind !== 'start')),
        fc.func(style),
        decoration,
        fc.func(decoration),
        ([word, kind], styleOf, before, after) => {
          const written = [...word].map((letter, index) => styleOf(index)(letter) + after(index)).join('');
          expect(keywordOf(before + written)).toBe(kind);
        },
      ),
    );
  });

  it('for start in any spelling, with a few signs around it', () => {
    const signs = fc.stringMatching(/^[ \n.,:!¡…()[\]"'“”„«»*_]{0,5}$/);
    assertProperty(
      fc.property(
        fc.constantFrom(...entries.filter(([, kind]) => kind === 'start')),
        fc.func(style),
        signs,
        signs,
        ([word], styleOf, before, after) => {
          const written = [...word].map((letter, index) => styleOf(index)(letter)).join('');
          expect(keywordOf(before + written + after)).toBe('start');
        },
      ),
    );
  });

  it('never for start with something between its letters', () => {
    const seen = decoration.filter((text) => /[^\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text));
    assertProperty(
      fc.property(
        fc.constantFrom(...entries.filter(([, kind]) => kind === 'start')),
        seen,
        fc.integer({ min: 1, max: 4 }),
        ([word], between, at) => {
          expect(keywordOf(word.slice(0, at) + between + word.slice(at))).not.toBe('start');
        },
      ),
    );
  });

  it('only without other letters or digits around it', () => {
    const all = new Map<string, string>(entries);
    const others = fc.stringMatching(/^[A-Z0-9ØŁßЖΩ語あ]{1,8}$/);
    assertProperty(
      fc.property(
        fc.constantFrom(...entries),
        others,
        fc.nat(10),
        decoration,
        ([word], other, at, between) => {
          const start = word.slice(0, at);
          const end = word.slice(at);
          const together = all.get(start + other + end);
          const expected = together === 'start' && between !== '' ? undefined : together;
          expect(keywordOf(start + between + other + between + end)).toBe(expected);
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
    ['Cancelar', mexican, 'stop'],
    ['ARRET', mexican, undefined],
    ['ayuda', mexican, 'help'],
    ['arrêt', french, 'stop'],
    ['alto', french, undefined],
  ] as const)('adds its own words to the general ones: %s from %s', (text, phone, keyword) => {
    expect(keywordOf(text, phone)).toBe(keyword);
  });

  it.each([american, '+80055550143', '55501', 'SHOPNAME', ''])(
    'allows the words of all countries if it is unlisted or unknown: %j',
    (phone) => {
      for (const text of ['SAIR', 'BAJA', 'ARRET', 'STOP']) expect(keywordOf(text, phone)).toBe('stop');
      expect(keywordOf('VOLTAR', phone)).toBe('start');
    },
  );

  it('a start phrase of a list counts only as it is written there', () => {
    const own = createKeywords({
      everywhere: { stop: ['STOP'], start: ['Opt in', "J'accepte"] },
      countries: {},
    });
    for (const text of ['opt in', 'Opt\u00a0 In!', '“OPT IN”', 'j’accepte.']) expect(own(text)).toBe('start');
    for (const text of ['optin', 'opt, in', 'opt-in', 'opt\nin', 'opt in?', 'jaccepte'])
      expect(own(text)).toBeUndefined();
  });

  it('decides if a word has two meanings; without a country stop has precedence, then help', () => {
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

it.each(['START;', 'START\u037e', 'S\u0489T\u0489A\u0489R\u0489T\u0489'])('%j opts no number in', (text) => {
  expect(createKeywords({ everywhere: { start: ['START'] }, countries: {} })(text)).toBeUndefined();
});
