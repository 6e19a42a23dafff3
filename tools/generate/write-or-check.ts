import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Writes generated files. With `--check` it only reports those that are out of date, and sets exit code 1.
 *
 * @param files the new text by path in the repository, made from the text before
 * @param command the npm script that writes them
 */
export function writeOrCheck(
  files: Readonly<Record<string, (before: string) => string>>,
  command: string,
): void {
  for (const [name, write] of Object.entries(files)) {
    const file = new URL(`../../${name}`, import.meta.url);
    const before = read(file);
    const text = write(before);
    if (!process.argv.includes('--check')) writeFileSync(file, text);
    else if (before !== text) {
      console.error(`${name} is out of date: run "npm run ${command}" and commit the result.`);
      process.exitCode = 1;
    }
  }
}

/** Returns the text of the file; empty if it does not exist. */
function read(file: URL): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
