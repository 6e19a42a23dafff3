import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ImportMapping } from '../schema/import-mapping-schema.ts';
import { isObject, whyNoJson } from '../text/json.ts';
import { ContractFileError, contractFiles } from './contract-file-store.ts';
import { type ContractFiles, readExtended } from './extend.ts';
import { parseImportMapping } from './import-mapping.ts';
import { ForeignFileError } from './own-file-store.ts';
import { packageFolder } from './package-store.ts';
import { ContractError, requireShallow } from './parse.ts';

const folder = join(packageFolder, 'contract/import-mappings');

/** Lists the mappings that ship, in alphabetical order. */
export function mappingNames(): readonly string[] {
  return contractFiles
    .list(folder)
    .map((file) => file.replace(/\.json$/, ''))
    .sort();
}

/** The parts of a contract that a mapping takes over. */
interface Base {
  readonly statuses?: unknown;
  readonly errors?: unknown;
  readonly events?: { readonly defaultCountry?: unknown };
}

/**
 * Reads and validates a mapping.
 *
 * @param name of a mapping that ships, or the path of a file
 * @param base takes the place of the contract that the mapping extends
 * @throws ContractFileError naming every wrong path and what was expected there
 */
export function loadImportMapping(
  name: string,
  base: Base | undefined,
  files: ContractFiles = contractFiles,
): ImportMapping {
  const names = mappingNames();
  const path = names.includes(name) ? join(folder, `${name}.json`) : resolve(name);
  if (!existsSync(path))
    throw new ContractFileError(
      `--mapping "${name}" is neither a file nor a mapping that ships. Expected a file, or one of: ${names.join(', ')}.`,
    );
  try {
    const json: unknown = JSON.parse(files.read(path));
    if (!isObject(json)) throw new ContractError(['(the whole file): expected an object'], 'mapping');
    requireShallow(json, 'mapping');
    const { extends: extended, ...own } = json;
    const from = base ?? (extended === undefined ? {} : extendedBy(path, extended, files));
    return parseImportMapping({
      defaultCountry: from.events?.defaultCountry ?? null,
      ...own,
      statuses: joined(from.statuses, own.statuses),
      errors: joined(from.errors, own.errors),
    });
  } catch (error) {
    if (error instanceof ContractError) throw new ContractFileError(`${name}: ${error.message}`);
    if (error instanceof SyntaxError) throw new ContractFileError(`${name}: not JSON: ${whyNoJson(error)}`);
    if (error instanceof ForeignFileError) throw new ContractFileError(error.message);
    if (error instanceof Error && 'code' in error)
      throw new ContractFileError(`${name}: cannot be read (${error.code})`);
    throw error;
  }
}

/** Reads the contract that a mapping extends, as if the mapping were a contract that adds nothing to it. */
function extendedBy(path: string, extended: unknown, files: ContractFiles): Base {
  const read = (file: string) => (file === path ? JSON.stringify({ extends: extended }) : files.read(file));
  const { document } = readExtended(path, { ...files, read });
  return isObject(document) ? document : {};
}

/** Returns the entries of both. What is no object stays, so that the schema names it. */
function joined(base: unknown, own: unknown = {}): unknown {
  return isObject(own) && isObject(base) ? { ...base, ...own } : own;
}
