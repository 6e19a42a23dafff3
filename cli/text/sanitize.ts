import { invisible } from '../../contract/text/invisible.ts';

/**
 * Matches escape sequences (ECMA-48): CSI with its parameters; strings such as a window's title, to their end; any other. Each
 * alternative stops where another may begin, so that the time is linear. That of util.stripVTControlCharacters is not.
 */
const escapes =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)|\x1b[ -/]*[0-~]/g;

const lineBreaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;

/** Makes a text from outside safe for a terminal and for a language model, as one line: removes escapes and what is invisible; line breaks become spaces. */
export function sanitize(text: string): string {
  return text.toWellFormed().replace(escapes, '').replace(lineBreaks, ' ').replace(invisible, '');
}

/** A colour, as `styleText` of Node.js writes it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const colours = /^\x1b\[[\d;]*m$/;

const controls = new RegExp(`${escapes.source}|\\r(?!\\n)|[^\\P{Cc}\\t\\r\\n]`, 'gu');

/** Removes everything that a terminal obeys from the output of a command, except colours, tabs and line breaks. */
export function forTerminal(output: string): string {
  return output.replace(controls, (found) => (colours.test(found) ? found : ''));
}

/** Applies {@link sanitize} to each line. */
export function sanitizeLines(text: string): string {
  return text.split(/\r?\n/).map(sanitize).join('\n');
}

/** Formats JSON that is safe for a terminal: characters that {@link sanitize} removes become JSON escapes. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .split('\n')
    .map((line) => line.replace(invisible, escaped))
    .join('\n');
}

/** Formats JSON like {@link toJson}, on one line. */
export function toJsonLine(value: unknown): string {
  return JSON.stringify(value).replace(invisible, escaped);
}

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
