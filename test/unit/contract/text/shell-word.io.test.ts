import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellWord } from '../../../../contract/text/shell-word.ts';

it('any text is one word of a shell, which runs nothing of it', () => {
  const texts = [
    "x'; touch owned; '",
    '$(touch owned)',
    '`id`',
    'a b',
    'a\nb',
    '',
    '~',
    '!!',
    '*',
    "'",
    '\\',
    '#1',
    "m\\';touch owned;#'",
    "\\'\\\\'",
  ];
  for (const text of texts)
    expect(execFileSync('sh', ['-c', `printf '%s|' ${shellWord(text)} end`], { encoding: 'utf8' })).toBe(
      `${text}|end|`,
    );
  expect(shellWord('msg-1')).toBe('msg-1');
});
