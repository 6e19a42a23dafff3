/** Writes a text as one word of a shell. Quotation marks that it does not need are left out. */
export function shellWord(text: string): string {
  return /^[\w+.:=,@/-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
