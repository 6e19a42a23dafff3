import { readFile } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse/sync';
import * as z from 'zod';
import { CommandFailure, explainFileErrors } from '../target/errors.ts';

const rowsWithId = z.array(z.looseObject({ id: z.string().min(1) })).min(1);

/**
 * Reads the column `id` of a CSV, as the console and `--csv` write them, each id once.
 *
 * @param path of the file; "-" is stdin
 * @throws CommandFailure for a file that cannot be read, is not CSV, or has no ids
 */
export async function readIdsFile(path: string): Promise<string[]> {
  const text = await explainFileErrors(
    (code) => `${path}: cannot be read (${code}); --ids-file names a CSV file with a column "id"`,
    () => readFile(path === '-' ? '/dev/stdin' : path, 'utf8'),
  );
  const name = path === '-' ? 'stdin' : path;
  const rows = rowsWithId.safeParse(parseRows(name, text));
  if (!rows.success)
    throw new CommandFailure(
      `${name}: expected a column "id" with an id in each row, as in the CSV of the console's quarantine and of quarantine list --csv`,
    );
  return [...new Set(rows.data.map(({ id }) => id))];
}

function parseRows(name: string, text: string): unknown {
  try {
    return parse(text, { bom: true, columns: true, skip_empty_lines: true });
  } catch (error) {
    // The message of the error may quote the file, which can hold numbers.
    if (error instanceof CsvError)
      throw new CommandFailure(`${name}: not CSV (${error.code}, line ${String(error.lines)})`);
    throw error;
  }
}
