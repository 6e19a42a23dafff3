import { PatternError } from './pattern-error.ts';

/**
 * Compiles a wildcard: `*` stands for any characters, also none; `\*` is an asterisk and `\\` a backslash. Wildcards in
 * a row are refused, as EventBridge does (User Guide, "Matching using wildcards").
 *
 * @throws PatternError
 */
export function compileWildcard(wildcard: string, path: string): (text: string) => boolean {
  let source = '';
  let afterStar = false;
  for (let index = 0; index < wildcard.length; index += 1) {
    const character = wildcard.charAt(index);
    if (character === '*') {
      if (afterStar) throw new PatternError(path, 'wildcards in a row are not allowed');
      source += '.*';
      afterStar = true;
      continue;
    }
    afterStar = false;
    if (character !== '\\') {
      source += literal(character);
      continue;
    }
    index += 1;
    const escaped = wildcard.charAt(index);
    if (escaped !== '*' && escaped !== '\\') {
      throw new PatternError(path, 'a backslash is only allowed before an asterisk or a backslash');
    }
    source += literal(escaped);
  }
  const expression = new RegExp(`^${source}$`, 's');
  return (text) => expression.test(text);
}

function literal(character: string): string {
  return character.replace(/[$()*+./?[\\\]^{|}-]/, '\\$&');
}
