import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Item } from '../../functions/history/index.ts';
import type { ItemPage } from '../stores/history-items.ts';
import type { HistoryCopy } from '../stores/table-copy.ts';
import { CommandFailure, explainFileErrors } from '../target/errors.ts';
import { parseJson } from '../text/format.ts';

/** A page of a file ends after so many lines or characters. An entry of the quarantine has up to 400 KB. */
const maxLines = 1000;
const maxCharacters = 4_000_000;

/** An item has at most 400 KB, which are six times as many characters if each is escaped. A few KB of gzip may hold a line of any length. */
const maxLineCharacters = 8_000_000;

/** The last line of an export. */
interface End {
  readonly Complete: { readonly items: number };
}

/** Returns an item as a line of an export, which is how DynamoDB itself exports items. */
export function itemLine(item: Item): string {
  return `${JSON.stringify({ Item: item })}\n`;
}

/** Returns the last line of an export. */
export function endLine(items: number): string {
  const end: End = { Complete: { items } };
  return `${JSON.stringify(end)}\n`;
}

/**
 * Opens files as a copy: those of `history export`, and those of DynamoDB's own exports to S3, also compressed with gzip.
 *
 * @throws CommandFailure for a file that cannot be read
 */
export async function openFiles(paths: readonly string[]): Promise<HistoryCopy> {
  const identities: string[] = [];
  for (const path of paths) {
    const found = await withPath(path, () => stat(path));
    if (!found.isFile())
      throw new CommandFailure(
        `${path} is no regular file, and a join that was interrupted reads its files again. Name files, for example with a pattern: exports/*.json.gz.`,
      );
    identities.push(`${path} ${found.size} ${found.mtimeMs}`);
  }
  return {
    identity: identities.join('\n'),
    tableIds: [],
    total: undefined,
    parts: paths,
    pages: (path, from) => pagesOf(path, Number(from ?? 0)),
  };
}

async function* pagesOf(path: string, skip: number): AsyncGenerator<ItemPage, void> {
  let [line, items, characters, page]: [number, number, number, Item[]] = [0, 0, 0, []];
  let end: number | undefined;
  for await (const text of linesOf(path)) {
    line += 1;
    const read = readLine(text);
    if (read === undefined)
      throw new CommandFailure(
        `${path}, line ${line}: no item of a history. Expected what sms history export or DynamoDB's export to S3 wrote, one JSON object a line.`,
      );
    if (read.kind === 'end') end = read.items;
    if (read.kind !== 'item') continue;
    items += 1;
    if (line <= skip) continue;
    page.push(read.item);
    characters += text.length;
    if (page.length < maxLines && characters < maxCharacters) continue;
    yield { items: page, next: String(line) };
    [page, characters] = [[], 0];
  }
  const doubt = doubtOf(path, items, end);
  yield { items: page, ...(doubt !== undefined && { doubt }) };
}

/** @param end how many items the last line says; undefined without such a line */
function doubtOf(path: string, items: number, end: number | undefined): string | undefined {
  if (end !== undefined)
    return end === items
      ? undefined
      : `${path} has ${items} items, and its last line says ${end}, so it was changed.`;
  // DynamoDB writes no last line. Its files are compressed, and gzip notices what was cut off.
  return isCompressed(path)
    ? undefined
    : `${path} has no last line "Complete", so it was cut off, or its export was interrupted.`;
}

type Line =
  | { readonly kind: 'item'; readonly item: Item }
  | { readonly kind: 'end'; readonly items: number }
  /** An item that was deleted, in an incremental export. */
  | { readonly kind: 'nothing' };

function readLine(text: string): Line | undefined {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const { Item, NewImage, Keys, Complete } = value as Record<string, unknown>;
  const item = Item ?? NewImage;
  if (isItem(item)) return { kind: 'item', item };
  if (item === undefined && Keys !== undefined) return { kind: 'nothing' };
  const { items } = (Complete ?? {}) as { items?: unknown };
  return typeof items === 'number' ? { kind: 'end', items } : undefined;
}

function isItem(value: unknown): value is Item {
  return typeof (value as Item | undefined)?.pk?.S === 'string';
}

const isCompressed = (path: string): boolean => path.endsWith('.gz');

/**
 * Splits a file at its line feeds. `readline` would also split at U+2028, which a text in JSON may have.
 *
 * @throws CommandFailure for a file that cannot be read, is damaged or is not UTF-8
 */
async function* linesOf(path: string): AsyncGenerator<string, void> {
  const file = createReadStream(path);
  const source: AsyncIterable<Buffer> = isCompressed(path)
    ? pipeline(file, createGunzip(), () => {
        // The iteration throws the same error.
      })
    : file;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  try {
    for await (const part of source) {
      // Only this part is searched: a long line has many.
      const [end = '', ...lines] = decoder.decode(part, { stream: true }).split('\n');
      rest += end;
      for (const line of lines) {
        if (rest.trim() !== '') yield rest;
        rest = line;
      }
      if (rest.length > maxLineCharacters)
        throw new CommandFailure(
          `${path} has a line of more than ${maxLineCharacters} characters. Expected one item a line, as sms history export or DynamoDB's export to S3 wrote them.`,
        );
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code.startsWith('Z_'))
      throw new CommandFailure(`${path} is damaged, was cut off, or is not compressed with gzip (${code}).`);
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw new CommandFailure(`${path} is not UTF-8.`);
    throw error;
  }
  if (rest.trim() !== '') yield rest;
}

function withPath<T>(path: string, operation: () => Promise<T>): Promise<T> {
  return explainFileErrors((code) => `${path}: cannot be read (${code})`, operation);
}
