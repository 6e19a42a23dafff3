import { describe, expect, it } from 'vitest';
import { proposeNumbers } from '../../../discovery/event-numbers.ts';

describe('how captured numbers are written', () => {
  it.each<[string, string[], string | undefined, boolean]>([
    ['with "+"', ['+12025550143', '+447700900123'], 'international', true],
    ['in addresses', ['whatsapp:+12025550143', 'tel:+1-202-555-0144'], 'international', true],
    ['beside a name and a short code', ['+12025550143', 'SUPPORT', '22555'], 'international', true],
    ['with their country code alone', ['12025550143', '447700900123'], 'international', false],
    ['as names and short codes alone', ['SUPPORT', '22555'], undefined, false],
  ])('is seen: %s', (_, numbers, value, isCertain) => {
    const proposed = proposeNumbers(numbers, { defaultCountry: null }, false);
    expect(proposed?.value).toBe(value);
    expect(proposed?.isCertain ?? false).toBe(isCertain);
  });

  it.each([
    ['ten digits of North America, as in ArnasDon/wacrm#586', ['4155550112', '12025550143'], '•••0112'],
    [
      'ten digits that Norway would read as its own, as in GSA/notifications-api#1655',
      ['4755550119'],
      '•••0119',
    ],
    ['a 0 in front, as in alphagov/notifications-api#1018', ['07700900123', '447700900456'], '•••0123'],
  ])('needs a country, which is never guessed: %s', (_, numbers, example) => {
    expect(proposeNumbers(numbers, { defaultCountry: null }, false)).toMatchObject({
      value: 'mixed',
      isCertain: false,
      note: expect.stringContaining(`such as ${example}, has no country code: set "events.defaultCountry"`),
    });
  });

  it('gets a hint for ten digits, which North Americans write (nyaruka/courier, handlers/thinq)', () => {
    const noteOf = (...numbers: string[]) => proposeNumbers(numbers, { defaultCountry: null }, false)?.note;
    expect(noteOf('2025550143', '2025550144')).toContain(
      'such as "US" if they are numbers of the United States',
    );
    expect(noteOf('2025550143', '07700900123')).not.toContain('"US"');
  });

  it('is national with the country of the contract, if no number has a country code', () => {
    const proposed = (...numbers: string[]) => proposeNumbers(numbers, { defaultCountry: 'US' }, false);
    expect(proposed('4155550112', '2025550143')).toMatchObject({ value: 'national', rivals: ['mixed'] });
    expect(proposed('4155550112', '12025550143')).toMatchObject({ value: 'mixed', rivals: ['national'] });
  });
});
