/** The maximum number of broken promises that are printed. The others are only counted, because one cause may break thousands. */
const maxLines = 20;

/** Prints the broken promises. @returns the exit code */
export function printVerdict(broken: readonly string[]): 0 | 1 {
  for (const line of broken.slice(0, maxLines)) console.error(`BROKEN: ${line}`);
  if (broken.length > maxLines) console.error(`BROKEN: ${broken.length - maxLines} more`);
  if (broken.length === 0) console.log('Every promise held.');
  return broken.length === 0 ? 0 : 1;
}

/** The message of an error. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
