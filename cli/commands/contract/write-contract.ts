import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { contractFiles, withOptionalService } from '../../../contract/document/contract-file-store.ts';
import { extendContract, readExtended } from '../../../contract/document/extend.ts';
import { ContractError, parseContract } from '../../../contract/document/parse.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { isObject } from '../../../contract/text/json.ts';
import { replaceFile } from '../../output/replace-file.ts';
import { CommandFailure, explainFileErrors } from '../../target/errors.ts';

/** The sections of a contract that a discovery writes. */
const sections = ['webhook', 'events', 'statuses', 'errors', 'samples'] as const;

/**
 * Puts sections into the JSON of a contract's file. A contract that extends another keeps only the differences.
 *
 * @param own the JSON of the file
 * @param base the resolved contract that it extends; undefined if it extends none
 * @param next the new sections with all defaults
 */
function withSections(
  own: Readonly<Record<string, unknown>>,
  base: unknown,
  next: Readonly<Partial<Record<(typeof sections)[number], unknown>>>,
): Record<string, unknown> {
  const changed = Object.entries(next).flatMap(([name, value]) => {
    if (!isObject(base) || base[name] === undefined) return [[name, value] as const];
    const difference = differing(base[name], value, name);
    return difference === undefined ? [] : [[name, difference] as const];
  });
  const kept = Object.entries(own).filter(([name]) => !Object.hasOwn(next, name));
  const all = new Map([...kept, ...changed]);
  const order = [...Object.keys(own), ...sections.filter((name) => !Object.hasOwn(own, name))];
  return Object.fromEntries(order.flatMap((name) => (all.has(name) ? [[name, all.get(name)]] : [])));
}

/** Returns the smallest value that turns `base` into `next` when it extends `base`; undefined if they are equal. */
function differing(base: unknown, next: unknown, path: string): unknown {
  if (isDeepStrictEqual(base, next)) return undefined;
  if (!isObject(base) || !isObject(next)) return next;
  const difference = Object.fromEntries(
    Object.entries(next).flatMap(([key, value]) => {
      const inner = Object.hasOwn(base, key) ? differing(base[key], value, `${path}.${key}`) : value;
      return inner === undefined ? [] : [[key, inner]];
    }),
  );
  // A value of another form replaces the base's value as a whole, so that all of it is needed.
  return isDeepStrictEqual(extendedAt(base, difference, path), extendedAt(base, next, path))
    ? difference
    : next;
}

/** Extends a value at its path in a contract, as the pipeline does. */
function extendedAt(base: unknown, own: unknown, path: string): unknown {
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
 * Writes the sections of a contract into its file. It validates the new file with its samples, writes it to a second file and
 * then replaces the first, so that a failure changes nothing.
 *
 * @throws CommandFailure if the contract is invalid, with its problems, or the file cannot be written
 */
export async function writeContract(path: string, contract: Contract): Promise<void> {
  const own: unknown = await withPath(path, async () => JSON.parse(await readFile(path, 'utf8')));
  if (!isObject(own)) throw new CommandFailure(`${path}: expected an object`);
  const changed = Object.fromEntries(sections.map((name) => [name, asWritten(contract[name])]));
  const base = own.extends === undefined ? undefined : extended(path, { extends: own.extends });
  const next = withSections(own, base, changed);
  try {
    parseContract(withOptionalService(extended(path, next)));
  } catch (error) {
    if (error instanceof ContractError)
      throw new CommandFailure(
        `Nothing was written: the discovered contract is invalid.\n${error.problems.map((problem) => `  ${problem}`).join('\n')}\nRun the command on a terminal without --accept-guesses to review each guess, or edit these places of ${path} by hand.`,
      );
    throw error;
  }
  await withPath(path, () => replaceFile(path, `${JSON.stringify(next, null, 2)}\n`, 0o644));
}

/** Resolves a contract file as if it had this JSON. @throws ContractError */
function extended(path: string, json: unknown): unknown {
  const read = (file: string) => (file === path ? JSON.stringify(json) : contractFiles.read(file));
  return readExtended(path, { ...contractFiles, read }).document;
}

/** Returns a value without undefined properties, as JSON stores it. */
function asWritten(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function withPath<T>(path: string, operation: () => Promise<T>): Promise<T> {
  return explainFileErrors(
    (code) => `${path} cannot be written (${code}); --contract names another file.`,
    operation,
  );
}
