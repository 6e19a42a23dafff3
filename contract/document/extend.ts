import { dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { nearestNames } from './nearest-names.ts';
import { ContractError } from './parse.ts';

/**
 * The samples that a contract inherits whose signature is another than the base's: the requests of that signature cannot hold,
 * and neither can the samples that show nothing else. What was known by such a request alone is not expected any more.
 *
 * @param samples as the base's file holds them
 * @param events where things are in a body, of the contract that inherits
 */
function samplesWithoutRequests(samples: readonly unknown[], events: unknown): unknown[] {
  return samples.flatMap((sample) => {
    if (!isObject(sample) || sample.request === undefined) return [sample];
    const { request: _, becomes, ...rest } = sample;
    if (!Array.isArray(becomes)) return [];
    return [{ ...rest, becomes: becomes.map((event: unknown) => withoutRequestFacts(event, events)) }];
  });
}

/** An event without what its body does not tell: the time it was received, and the id that was signed. */
function withoutRequestFacts(event: unknown, events: unknown): unknown {
  if (!isObject(event) || !isObject(events)) return event;
  const fields = event.kind === 'sms.reply' ? events.reply : events.status;
  const hasNoTime = isObject(fields) && fields.occurredAt === null;
  const hasSignedId = isObject(events.id) && events.id.from === 'signed-id';
  return Object.fromEntries(
    Object.entries(event).filter(
      ([field]) => !((hasNoTime && field === 'occurredAt') || (hasSignedId && field === 'eventId')),
    ),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Where contracts that others extend are read from. */
export interface ContractFiles {
  /** The folder of the presets: `<name>.json` each. */
  readonly presets: string;
  /** The text of a file. @throws as node:fs */
  readonly read: (path: string) => string;
  /** The names of the files in a folder. @throws as node:fs */
  readonly list: (folder: string) => readonly string[];
}

/** By what an object of several forms says which it is: of another form nothing of the base fits. */
const formOf: Readonly<Record<string, string>> = { 'webhook.signature': 'scheme', 'events.id': 'from' };

/** Of the base these are not taken over: they say what that file is, and what is known of it alone. */
const ownOnly: ReadonlySet<string> = new Set(['$schema', 'about', 'extends']);

/**
 * Lays a contract over the one that it extends: objects key by key, while lists, texts, numbers and null replace what was
 * there. A signature of another `scheme`, or an event id `from` elsewhere, replaces the base's as a whole. Samples that are taken
 * over are no longer signed where the signature is not the base's.
 *
 * @param base as its file holds it, and resolved: without `extends`
 * @param own as its file holds it
 */
export function extendContract(base: unknown, own: unknown): unknown {
  const merged = merge(base, own, '');
  if (!isObject(base) || !isObject(own) || !isObject(merged)) return merged;
  if (own.samples !== undefined || !Array.isArray(base.samples)) return merged;
  return isDeepStrictEqual(signatureOf(base), signatureOf(merged))
    ? merged
    : { ...merged, samples: samplesWithoutRequests(base.samples, merged.events) };
}

function signatureOf({ webhook }: Readonly<Record<string, unknown>>): unknown {
  return isObject(webhook) ? webhook.signature : undefined;
}

function merge(base: unknown, own: unknown, path: string): unknown {
  if (!isObject(base) || !isObject(own)) return own;
  const form = formOf[path];
  if (form !== undefined && own[form] !== undefined && own[form] !== base[form]) return own;
  const isTop = path === '';
  const inherited = Object.entries(base).filter(([key]) => !(isTop && ownOnly.has(key)));
  const given = Object.entries(own).filter(([key]) => !(isTop && key === 'extends'));
  const known = new Map(inherited);
  return Object.fromEntries([
    ...inherited,
    ...given.map(([key, value]) => [
      key,
      known.has(key) ? merge(known.get(key), value, isTop ? key : `${path}.${key}`) : value,
    ]),
  ]);
}

/**
 * Reads a contract together with what it extends, a preset or another file, and that in turn.
 *
 * @param path of the contract; what it extends may be named relative to it
 * @returns one document without `extends`, to be validated by parseContract
 * @throws ContractError where what it extends is not there, is no JSON or leads back to itself; as node:fs and JSON.parse
 * where the contract itself cannot be read
 */
export function readExtended(path: string, files: ContractFiles): unknown {
  return resolveChain(JSON.parse(files.read(path)), [resolve(path)], files);
}

/**
 * From what a contract that can be read by {@link readExtended} has its samples, as `extends` names it: nobody finds these in the
 * contract's own file.
 *
 * @returns undefined where the samples are its own
 */
export function samplesInheritedFrom(path: string, files: ContractFiles): string | undefined {
  const originOf = (json: unknown, file: string, named?: string): string | undefined => {
    if (!isObject(json) || json.samples !== undefined || typeof json.extends !== 'string') return named;
    const basePath = pathOf(json.extends, file, files);
    return originOf(readBase(json.extends, basePath, files), basePath, json.extends);
  };
  return originOf(JSON.parse(files.read(path)), resolve(path));
}

/** @param chain the files on the way here, the one that holds `json` last */
function resolveChain(json: unknown, chain: readonly string[], files: ContractFiles): unknown {
  if (!isObject(json) || json.extends === undefined) return json;
  const { extends: wanted } = json;
  if (typeof wanted !== 'string' || wanted === '')
    throw problem(
      `expected the name of a preset, or a path that begins with "." or "/". ${presetsOf(files)}`,
    );
  const basePath = pathOf(wanted, chain.at(-1) ?? '', files);
  if (chain.includes(basePath))
    throw problem(`a contract cannot extend itself: ${[...chain, basePath].join(' -> ')}`);
  const base = resolveChain(readBase(wanted, basePath, files), [...chain, basePath], files);
  return extendContract(base, json);
}

function pathOf(wanted: string, from: string, files: ContractFiles): string {
  if (/^[./]/.test(wanted)) return resolve(dirname(from), wanted);
  const names = presetNames(files);
  if (names.includes(wanted)) return resolve(join(files.presets, `${wanted}.json`));
  const [near] = nearestNames(wanted, names);
  throw problem(
    `no preset is called "${wanted}"${near === undefined ? '' : `; did you mean "${near}"?`} ${presetsOf(files)}`,
  );
}

function readBase(wanted: string, path: string, files: ContractFiles): unknown {
  let base: unknown;
  try {
    base = JSON.parse(files.read(path));
  } catch (error) {
    if (error instanceof SyntaxError) throw problem(`${wanted} is not JSON: ${error.message}`);
    if (error instanceof Error && 'code' in error)
      throw problem(`${wanted} cannot be read (${error.code}): it is looked for at ${path}`);
    throw error;
  }
  if (!isObject(base)) throw problem(`${wanted} is no contract: expected an object`);
  return base;
}

/** The names that `extends` may give, in alphabetical order. */
export function presetNames({ list, presets }: ContractFiles): readonly string[] {
  return list(presets)
    .flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -'.json'.length)] : []))
    .sort();
}

function presetsOf(files: ContractFiles): string {
  return `The presets are: ${presetNames(files).join(', ')}.`;
}

function problem(message: string): ContractError {
  return new ContractError([`extends: ${message}`]);
}

/**
 * A preset as what extends it in a project's contract: it says nothing of the service's own API, and one of a signature alone nothing
 * of events.
 *
 * @param preset as its file holds it, resolved: a contract that is whole is given back as it is
 * @param project the project's contract, resolved; asked for only where something is missing
 */
export function completePreset(preset: unknown, project: () => unknown): unknown {
  if (!isObject(preset) || preset.service !== undefined) return preset;
  const base = project();
  if (!isObject(base)) return preset;
  const { service, events, statuses, webhook } = base;
  const isSignatureAlone = !isObject(preset.events) || preset.events.list === undefined;
  return extendContract(
    { service, ...(isSignatureAlone ? { events, statuses, webhook } : {}), samples: [] },
    preset,
  );
}
