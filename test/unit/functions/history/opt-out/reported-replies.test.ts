import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shippedKeywords } from '../../../../../tools/support/keywords.ts';
import { assertProperty } from '../../../../support/property.ts';
import { type Reading, readingOf } from './reading-of.ts';

describe('replies that people reported about other systems', () => {
  it.each<[string, Reading]>([
    ['REVOKE', 'stop'],
    ['opt out', 'stop'],
    ['OPT-OUT', 'stop'],
    ['End.', 'stop'],
    ['"stop"', 'stop'],
    ['STOP\u00a0ALL', 'stop'],
    ['Arret', 'stop'],
    ['REMOVE', 'stop'],
    ['remove', 'stop'],
    ['TD', 'stop'],
    ['unsub', 'stop'],
    ['Stopp', 'stop'],
    ['remove me', 'may mean stop'],
    ['Stop. Thank you', 'may mean stop'],
    ['STOP 12345', 'may mean stop'],
    ['stop sub', 'may mean stop'],
    ['STOP\n\nSent from my phone', 'may mean stop'],
    ['СТОП', 'may mean stop'],
    ['Quitar', 'may mean stop'],
    ['Count me in! We have got to STOP this bill!!', 'nothing'],
    ['Don’t stop', 'nothing'],
    ['please cancel my 3pm', 'nothing'],
    ['Liked “Your visit is tomorrow at 9. Reply STOP to opt out”', 'nothing'],
  ])('%j is read as: %s', (text, reading) => {
    expect(readingOf(text)).toBe(reading);
  });
});

describe('words of the providers', () => {
  it.each<[string, string, Reading]>([
    ['TD', '+14165550143', 'stop'],
    ['Arrête', '+14165550143', 'stop'],
    ['ARRETT', '+33000555014', 'stop'],
    ['NONARRET', '+14165550143', 'start'],
    ['aide', '+14165550143', 'help'],
    ['Info?', '+14165550143', 'help'],
    ['Salir', '+520005550143', 'stop'],
    ['detener', '+34000555014', 'stop'],
    ['STOPP', '+4700055501', 'stop'],
    ['Unsub.', '+5500955550143', 'stop'],
    // TD is short for "tudo", all, in Brazil.
    ['Td', '+5500955550143', 'may mean stop'],
    // Twilio opts in again on YES at some of its numbers. A reply YES to a question about a visit is no consent.
    ['YES', '+12025550143', 'nothing'],
    ['SUBSCRIBE', '+12025550143', 'nothing'],
    ['Volver', '+520005550143', 'nothing'],
    ['Receber', '+5500955550143', 'nothing'],
  ])('%j from %s is read as: %s', (text, phone, reading) => {
    expect(readingOf(text, phone)).toBe(reading);
  });

  it.each([
    'Remove the second item',
    'remove it from my order',
    'td bem, obrigada',
    'Td certo',
    'Salir a las 5',
  ])('a stop word with another sense is no hint: %j', (text) => {
    expect(readingOf(text)).toBe('nothing');
  });

  it.each([
    'Wrong person, remove this number from your list now',
    'Please remove',
    'Abmelden bitte',
    'td, thanks',
  ])('other words may mean stop: %j', (text) => {
    expect(readingOf(text)).toBe('may mean stop');
  });

  it('count with any punctuation, quotes, spaces and line breaks around them', () => {
    const around = fc
      .array(
        fc.constantFrom('"', '“', '”', '«', '»', "'", '.', '!', '(', ')', '>', ' ', '\u00a0', '\n', '\r\n'),
        { maxLength: 6 },
      )
      .map((parts) => parts.join(''));
    const word = fc.constantFrom(
      'STOP',
      'Stop',
      'REMOVE',
      'td',
      'Unsub',
      'stopp',
      'opt out',
      'STOP\u00a0ALL',
    );
    assertProperty(
      fc.property(around, word, around, (before, text, after) => {
        expect(readingOf(before + text + after)).toBe('stop');
      }),
    );
  });

  it('a stop word never means start or help, in any country', () => {
    const stopWords = [shippedKeywords.everywhere, ...Object.values(shippedKeywords.countries)].flatMap(
      ({ stop }) => stop,
    );
    const phones = ['+12025550143', '+14165550143', '+5500955550143', '+34000555014', '+33000555014'];
    for (const phone of phones)
      for (const word of stopWords)
        expect(['start', 'help', 'nothing'], word).not.toContain(readingOf(word, phone));
  });
});
