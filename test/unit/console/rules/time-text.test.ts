import { expect, test } from 'vitest';
import { browserZone, dayText, durationText, timeTexts } from '../../../../console/rules/time-text.ts';

const at = '2026-01-15T01:30:05.000Z';

test('a time is in the zone of the viewer, and in UTC', () => {
  expect(timeTexts(at, 'en', 'America/Sao_Paulo')).toEqual({
    shown: '14 Jan 2026, 22:30:05',
    other: '15 Jan 2026, 01:30:05 UTC',
  });
  expect(timeTexts(at, 'pt-BR', 'America/Sao_Paulo').shown).toBe('14/01/2026, 22:30:05');
});

test('a time in UTC has that of the browser beside it', () => {
  const { shown, other } = timeTexts(at, 'en', 'UTC');
  expect(shown).toBe('15 Jan 2026, 01:30:05');
  expect(other.endsWith(` ${browserZone()}`)).toBe(true);
});

test('a day is that of the zone of the viewer', () => {
  expect(dayText(at, 'en', 'America/Sao_Paulo')).toBe('Wed, 14 Jan 2026');
  expect(dayText(at, 'en', 'UTC')).toBe('Thu, 15 Jan 2026');
});

test('a text that is no time stays', () => {
  expect(timeTexts('soon', 'en')).toEqual({ shown: 'soon', other: 'soon' });
  expect(dayText('soon', 'en')).toBe('soon');
  expect(durationText('soon', at)).toBe('');
});

test.each([
  [0, '0 s'],
  [3, '3 s'],
  [125, '2 min 5 s'],
  [3600, '1 h'],
  [90_000, '1 d 1 h'],
  [-5, '5 s'],
])('a duration of %i seconds reads %s', (seconds, text) => {
  expect(durationText(at, new Date(Date.parse(at) + seconds * 1000).toISOString())).toBe(text);
});
