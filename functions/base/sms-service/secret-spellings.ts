/** Named references of HTML for characters that a secret may have. */
const htmlNames: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/** Characters with which base64 for URLs replaces those of base64. */
const urlSafe: Readonly<Record<string, string>> = { '+': '-', '/': '_' };

/**
 * Returns the source of a pattern that finds a secret in each spelling that an answer of a service may give it: with the escapes of JSON
 * (`\/` of PHP, `\u002B` of .NET, also in JSON within JSON), of URLs and of HTML, in base64 of both alphabets, and without the `=` at its end.
 * It has the flag `i`, because the digits of escapes have two cases.
 */
export function spellingsOf(secret: string): string {
  const base64 = Buffer.from(secret).toString('base64');
  return [secret, base64].map(spelled).join('|');
}

function spelled(text: string): string {
  const rest = text.replace(/={1,2}$/, '');
  const end = rest === text ? '' : `(?:${spelledCharacter('=')}){0,2}`;
  const parts = rest.match(/\\+|[^\\]/gu) ?? [];
  const spellings = parts.map((part, index) =>
    part.startsWith('\\')
      ? spelledBackslashes(part.length)
      : `(?:${spelledCharacter(part, parts[index - 1]?.startsWith('\\'))})`,
  );
  return spellings.join('') + end;
}

/** Escapes add backslashes, so some of them are matched as one part: if each had its own, the time would grow with the power of their count. */
function spelledBackslashes(count: number): string {
  return `(?:${alternativesOf('\\', '').join('|')}){${count},${8 * count}}`;
}

/** @param isBehind whether the part before it matches all backslashes */
function spelledCharacter(character: string, isBehind = false): string {
  const alternatives = alternativesOf(character, isBehind ? '' : '\\\\{0,2}');
  if (character === ' ') alternatives.push('\\+');
  const name = htmlNames[character];
  if (name !== undefined) alternatives.push(`&${name};`);
  const safe = urlSafe[character];
  if (safe !== undefined) alternatives.push(literal(safe));
  return alternatives.join('|');
}

/** @param more a pattern for backslashes that JSON within JSON adds */
function alternativesOf(character: string, more: string): string[] {
  const code = character.codePointAt(0) ?? 0;
  const units = character.split('').map((unit) => `${more}\\\\u${hex(unit.charCodeAt(0), 4)}`);
  const bytes = [...Buffer.from(character)].map((byte) => `%(?:25)?${hex(byte, 2)}`);
  const isEscapedAlone = '"\'/'.includes(character) && more !== '';
  return [
    `${isEscapedAlone ? `${more}\\\\?` : ''}${literal(character)}`,
    units.join(''),
    bytes.join(''),
    `&#0{0,4}${code};`,
    `&#x0{0,4}${code.toString(16)};`,
  ];
}

function literal(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/-]/, '\\$&');
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
