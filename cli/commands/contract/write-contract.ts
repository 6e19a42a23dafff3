import { open, readFile, rename, unlink } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { contractFiles } from '../../../contract/document/contract-file-store.ts';
import { extendContract, readExtended } from '../../../contract/document/extend.ts';
import { ContractError, parseContract } from '../../../contract/document/parse.ts';
import { isObject } from '../../../contract/events/body.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { CommandFailure, explainFileErrors } from '../../target/errors.ts';

/** Sections of a contract that captures tell of. */
export const sections = ['webhook', 'events', 'statuses', 'errors', 'samples'] as const;

/**
 * Puts wanted sections into a contract's file. One that extends another keeps only what differs from that.
 *
 * @param own as the file holds it
 * @param base what it extends, resolved; undefined where it extends nothing
 * @param wanted sections with every default filled in
 */
export function withSections(
  own: Readonly<Record<string, unknown>>,
  base: unknown,
  wanted: Readonly<Partial<Record<(typeof sections)[number], unknown>>>,
): Record<string, unknown> {
  const changed = Object.entries(wanted).flatMap(([name, value]) => {
    if (!isObject(base) || base[name] === undefined) return [[name, value] as const];
    const difference = differing(base[name], value, name);
    return difference === undefined ? [] : [[name, difference] as const];
  });
  const kept = Object.entries(own).filter(([name]) => !Object.hasOwn(wanted, name));
  const all = new Map([...kept, ...changed]);
  const order = [...Object.keys(own), ...sections.filter((name) => !Object.hasOwn(own, name))];
  return Object.fromEntries(order.flatMap((name) => (all.has(name) ? [[name, all.get(name)]] : [])));
}

/** The least that makes `wanted` of `base` when it is laid over it; undefined where nothing has to. */
function differing(base: unknown, wanted: unknown, path: string): unknown {
  if (isDeepStrictEqual(base, wanted)) return undefined;
  if (!isObject(base) || !isObject(wanted)) return wanted;
  const least = Object.fromEntries(
    Object.entries(wanted).flatMap(([key, value]) => {
      const inner = Object.hasOwn(base, key) ? differing(base[key], value, `${path}.${key}`) : value;
      return inner === undefined ? [] : [[key, inner]];
    }),
  );
  // Where another form replaces the base's as a whole, all of it is needed.
  return isDeepStrictEqual(laidOver(base, least, path), laidOver(base, wanted, path)) ? least : wanted;
}

/** As the pipeline will read it, at the place where it stands. */
function laidOver(base: unknown, own: unknown, path: string): unknown {
  const nest = (value: unknown) =>
    path.split('.').reduceRight((inner: unknown, key) => ({ [key]: inner }), value);
  return path
    .split('.')
    .reduce(
      (inner: unknown, key) => (isObject(inner) ? inner[key] : undefined),
      extendContract(nest(base), nest(own)),
    );
}

/**
 * Writes sections of a contract into its file, which stays what it is where that fails: the new one is validated, samples
 * included, written beside it and then put in its place.
 *
 * @param contract what the file is to say from now on
 * @returns the names of the sections that were not as they are now
 * @throws CommandFailure where the contract does not hold, naming what is wrong, or the file cannot be written
 */
export async function writeContract(path: string, contract: Contract): Promise<void> {
  const own: unknown = await withPath(path, async () => JSON.parse(await readFile(path, 'utf8')));
  if (!isObject(own)) throw new CommandFailure(`${path}: expected an object`);
  const wanted = Object.fromEntries(sections.map((name) => [name, asWritten(contract[name])]));
  const base = own.extends === undefined ? undefined : extended(path, { extends: own.extends });
  const next = withSections(own, base, wanted);
  try {
    parseContract(extended(path, next));
  } catch (error) {
    if (error instanceof ContractError)
      throw new CommandFailure(
        `Nothing was written: the contract that was found does not hold.\n${error.problems.map((problem) => `  ${problem}`).join('\n')}\nRun it on a terminal without --yes to answer for each guess, or write these places of ${path} by hand.`,
      );
    throw error;
  }
  await replaceFile(path, `${JSON.stringify(next, null, 2)}\n`);
}

/** What a file would come to, with what it extends, if it held this. @throws ContractError */
function extended(path: string, json: unknown): unknown {
  const read = (file: string) => (file === path ? JSON.stringify(json) : contractFiles.read(file));
  return readExtended(path, { ...contractFiles, read }).document;
}

/** As JSON holds it: without what is undefined. */
function asWritten(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

async function replaceFile(path: string, text: string): Promise<void> {
  const part = `${path}.part`;
  await withPath(path, async () => {
    const file = await open(part, 'w');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path).catch(async (error: unknown) => {
      await unlink(part);
      throw error;
    });
  });
}

function withPath<T>(path: string, operation: () => Promise<T>): Promise<T> {
  return explainFileErrors(
    (code) => `${path} cannot be written (${code}); --contract names another file.`,
    operation,
  );
}
