import { expect, it } from 'vitest';
import { shownText } from '../../../../console/rules/shown-text.ts';

it.each(['', 'Yes, please', 'não, obrigado', 'שָׁלוֹם', '👍🏽', '👩‍❤️‍💋‍👩', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'a'.repeat(5000)])(
  'a usual text is shown whole: %j',
  (text) => {
    expect(shownText(text)).toEqual({ text });
  },
);

it('of a text that keeps a browser busy the beginning is shown, and how long it is', () => {
  const words = 'word '.repeat(20_000);
  expect(shownText(words)).toEqual({ text: words.slice(0, 5000), wholeLength: 100_000 });
  expect(shownText(`a${'\u0316'.repeat(65_536)}b`)).toEqual({
    text: `a${'\u0316'.repeat(10)}`,
    wholeLength: 65_538,
  });
  expect(shownText(`a${'\u0316'.repeat(20)}b`)).toEqual({
    text: `a${'\u0316'.repeat(10)}b`,
    wholeLength: 22,
  });
});

it.each(['\u{1F3FB}', '\u200D', '\u2060', '\u{E0041}', '\uFF9E'])(
  'characters that extend a letter count as marks: %j',
  (other) => {
    const unit = `${'\u0301'.repeat(9)}${other}`;
    expect(shownText(`a${unit.repeat(400)}b`).text).toBe(`a${unit}b`);
    expect(shownText(`a${other.repeat(400)}b`).text).toBe(`a${other.repeat(10)}b`);
  },
);

it('no character is cut in two', () => {
  expect(shownText('👍'.repeat(3000).slice(1)).text.isWellFormed()).toBe(true);
});
