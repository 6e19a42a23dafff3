import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../../support/property.ts';
import { type Reading, readingOf } from './reading-of.ts';

const reminder = 'Your visit is tomorrow at 9. Reply STOP to opt out';

describe("a phone's reaction to a message", () => {
  /** What phones write before the quoted message. */
  const openings = [
    'Liked “',
    'Liked "',
    'Loved “',
    'Disliked “',
    'Laughed at “',
    'Emphasized “',
    'Questioned “',
    'Reacted 👍 to “',
    'Reacted with ❤️ to “',
    'Reacted 🇧🇷 to “',
    'Reacted with a sticker to “',
    'Removed a like from “',
    'Removed a heart from “',
    'Removed an exclamation from “',
    'Removed 👍 from “',
    '👍 to “',
    '\u200a\u200b👍🏽\u200b to “\u200a',
    '\u200aRemoved \u200c😂\u200c from “\u200a',
    'Le gustó “',
    'Le encantó “',
    'Le dio risa “',
    'Exclamó por “',
    'Dudó sobre “',
    'Reaccionó con 😂 a “',
    'A aimé « ',
    'A adoré “',
    'a attribué la mention « J’aime » à « ',
    'A réagi avec 🔥 à « ',
    'A retiré un cœur de “',
    'Gefällt „',
    'Entfernte ein Herz aus „',
    'Reagiu com 👍 a “',
    'Ha reagito con 👍 a “',
    'Likte “',
    'Satte et hjerte ved “',
    'Fjernet et utropstegn fra “',
    'Polubił “',
    'Zaśmiał się z “',
    'Usunął serce z “',
    'Líbilo se „',
    'Odstraněno srdce z „',
    'kedveli: „',
    'szívecske erre: „',
    'Понравилось «',
    'Очень понравилось «',
    'Реакция 👍 на "',
    'Харесано “',
  ];
  const closings = ['”', '“', ' »', '"', '”\u200a', '”\n'];

  it.each(openings)('is no wish: %s…”', (opening) => {
    expect(readingOf(`${opening}${reminder}”`)).toBe('nothing');
  });

  it('is no keyword and no hint, whatever it quotes', () => {
    const quoted = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(
          fc.constantFrom('STOP', 'stop texting me', 'please', 'START', '\n', '\n> ', '”', '“', ' ', '.'),
        )
        .map((parts) => parts.join(' ')),
    );
    assertProperty(
      fc.property(
        fc.constantFrom(...openings),
        quoted,
        fc.constantFrom(...closings),
        (opening, text, closing) => {
          expect(readingOf(opening + text + closing)).toBe('nothing');
        },
      ),
    );
  });

  it.each<[string, Reading]>([
    ['STOP “please”', 'may mean stop'],
    ['🛑 stop “please”', 'may mean stop'],
    ['🛑 “STOP”', 'stop'],
    [`Liked “${reminder}” stop texting me`, 'may mean stop'],
    ['I liked “the offers”, now stop texting me', 'may mean stop'],
    ['I said “stop texting me”', 'may mean stop'],
    ['Omg 😡 “stop texting me”', 'may mean stop'],
    ['Please stop 😡 sending “offers”', 'may mean stop'],
    ['I really hate all of this 😡 here: “stop texting me”', 'may mean stop'],
  ])('is not any reply with a quote: %j', (text, reading) => {
    expect(readingOf(text)).toBe(reading);
  });
});

describe('quoted lines', () => {
  it.each<[string, Reading]>([
    ['> Reply STOP to end\n\nno thanks', 'nothing'],
    ['> Reply STOP to opt out\r\n\r\nSee you at nine', 'nothing'],
    ['ok!\n > please stop texting me', 'nothing'],
    ['> Reply STOP to opt out\nSTOP', 'stop'],
    ['Stop\n> Reply STOP to opt out, START to resume', 'stop'],
    [`> ${'long text '.repeat(120)}\nSTOP`, 'stop'],
    ['> Reply STOP to opt out\nstop please', 'may mean stop'],
  ])('are not the words of the person: %j', (text, reading) => {
    expect(readingOf(text)).toBe(reading);
  });

  it.each<[string, Reading]>([
    ['> STOP', 'stop'],
    ['>> stop texting me <<', 'may mean stop'],
  ])('count if the reply has no other words: %j', (text, reading) => {
    expect(readingOf(text)).toBe(reading);
  });
});
