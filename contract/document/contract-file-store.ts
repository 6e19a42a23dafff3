import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Contract, contractSchema } from '../schema/contract-schema.ts';
import { isObject, whyNoJson } from '../text/json.ts';
import {
  type ContractFiles,
  completePreset,
  describesEvents,
  listPresets,
  presetNames,
  presetPath,
  readExtended,
} from './extend.ts';
import { ForeignFileError, readRegularFile } from './own-file-store.ts';
import { packageFolder } from './package-store.ts';
import { ContractError, parseContract, parseRules } from './parse.ts';

/** Reads contracts and presets from the disk. */
export const contractFiles: ContractFiles = {
  presets: join(packageFolder, 'contract/presets'),
  read: readRegularFile,
  list: (folder) => readdirSync(folder),
};

/** The path of the contract that ships as an example. */
export const shippedContract = join(packageFolder, 'contract.json');

/** Lists the paths of the example and of all presets. */
export function shippedContracts(): readonly string[] {
  const presets = presetNames(contractFiles).map((name) => presetPath(name, contractFiles));
  return [shippedContract, ...presets];
}

/** The file of a preset, if a name is one of a preset. Otherwise the name is the path of a file. */
export function pathOfContract(name: string): string {
  return presetNames(contractFiles).includes(name) ? presetPath(name, contractFiles) : name;
}

/** Names a value in a message by its kind. */
export function nameOf(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (value === '') return 'an empty text';
  if (typeof value === 'string') return 'a text';
  return Array.isArray(value) ? 'a list' : `a value of the type ${typeof value}`;
}

/** Returns what is wrong with the name of a preset, or with what differs from it; undefined if the contract itself is to be validated. */
export function problemWithPreset(name: unknown, changes: unknown): string | undefined {
  if (typeof name !== 'string' || name === '')
    return `found ${nameOf(name)}, expected the name of a preset. The presets are: ${listPresets(contractFiles)}.`;
  if (!isObject(changes))
    return `found ${nameOf(changes)} after the name, expected an object with what differs, for example { webhook: { ... } }`;
  if (!presetNames(contractFiles).includes(name) || changes.statuses !== undefined) return undefined;
  return describesEvents(readExtended(presetPath(name, contractFiles), contractFiles).document)
    ? undefined
    : `${JSON.stringify(name)} describes a signature alone: expected "events" and "statuses" beside it, which say how the service writes its events (docs/reference/contract.md)`;
}

/** Stands in for the API of a service without an API, or with one that is not called. */
const absentService = {
  baseUrl: 'https://no-service.invalid',
  token: {
    exchange: {
      method: 'POST',
      path: '/',
      apiKey: { in: 'header', name: 'authorization' },
      accessToken: 'token',
      expiresIn: null,
    },
    revoke: null,
  },
};

/** Returns whether a contract says how the API of its service is called. */
export function hasService({ service }: Contract): boolean {
  return service.baseUrl !== absentService.baseUrl;
}

/** Fills in the service of a document that has none, so that {@link hasService} is false for its contract. */
export function withOptionalService(document: unknown): unknown {
  return isObject(document) ? { service: absentService, ...document } : document;
}

/** Thrown for a contract file that cannot be used. The message says which file, what is wrong, and which option or setting names it. */
export class ContractFileError extends Error {
  override readonly name = 'ContractFileError';
}

interface LoadOptions {
  /** The option or setting that names the file. Messages mention it, for example "--contract". */
  readonly namedBy: string;
  /** How messages call the file: its path by default. */
  readonly name?: string;
  /** The path of the contract that completes a preset. Without it, a preset is rejected because it lacks the service's own API. */
  readonly presetsCompletedBy?: string;
  /** Accepts a contract without `service`: {@link hasService} is false then. */
  readonly isServiceOptional?: boolean;
  /** Accepts samples that do not become what they say. */
  readonly acceptsFailingSamples?: boolean;
  readonly files?: ContractFiles;
}

/**
 * Reads and validates a contract file, together with what it extends.
 *
 * @throws ContractFileError naming every wrong path and what was expected there
 */
export function loadContract(
  path: string,
  {
    namedBy,
    name = path,
    presetsCompletedBy,
    isServiceOptional,
    acceptsFailingSamples,
    files = contractFiles,
  }: LoadOptions,
): Contract {
  try {
    const { document, samplesFrom } = readExtended(path, files);
    if (isObject(document) && !Object.keys(document).some(isContractKey))
      throw new ContractError(['(the whole file): not a contract: it has no key of a contract']);
    const completed =
      presetsCompletedBy === undefined
        ? document
        : completePreset(document, () => readExtended(presetsCompletedBy, files).document);
    const whole = isServiceOptional === true ? withOptionalService(completed) : completed;
    return acceptsFailingSamples === true ? parseRules(whole) : parseContract(whole, samplesFrom);
  } catch (error) {
    throw new ContractFileError(`${name}: ${problemOf(error, namedBy)}`);
  }
}

function isContractKey(key: string): boolean {
  return key !== '$schema' && Object.hasOwn(contractSchema.shape, key);
}

function problemOf(error: unknown, namedBy: string): string {
  if (error instanceof ContractError) return error.message;
  // The decoder's mark in the quoted text: the bytes are not UTF-8.
  if (error instanceof SyntaxError)
    return error.message.includes('\ufffd') ? 'not JSON, nor any text' : `not JSON: ${whyNoJson(error)}`;
  if (error instanceof ForeignFileError) return error.message;
  if (error instanceof Error && 'code' in error)
    return `cannot be read (${error.code}); ${namedBy} names this file`;
  throw error;
}
