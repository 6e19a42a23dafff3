/**
 * Writes a text as one word of a shell: of POSIX, or fish, in which a backslash has a meaning within single quotes. Quotation marks that it does not
 * need are left out.
 */
export function shellWord(text: string): string {
  if (/^[\w+.:=,@/-]+$/.test(text)) return text;
  const special = (run: string) => `'"${run.replaceAll('\\', '\\\\')}"'`;
  return `'${text.replaceAll(/['\\]+/g, special)}'`;
}
