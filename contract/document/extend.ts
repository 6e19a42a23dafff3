import { dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isObject, whyNoJson } from '../text/json.ts';
import { nearestNames } from './nearest-names.ts';
import { ContractError, requireShallow } from './parse.ts';

/** Reads the files that contracts extend. */
export interface ContractFiles {
  /** The folder of the presets: `<name>.json` each. */
  readonly presets: string;
  /** Reads the text of a file. @throws as node:fs */
  readonly read: (path: string) => string;
  /** Lists the names of the files in a folder. @throws as node:fs */
  readonly list: (folder: string) => readonly string[];
}

interface ExtendedContract {
  /** One document without `extends`, not validated yet. */
  readonly document: unknown;
  /** The preset or file that the samples are inherited from, as `extends` names it. Undefined if they are the contract's own. */
  readonly samplesFrom?: string;
}

/**
 * Reads a contract together with what it extends: a preset or another file, and so on.
 *
 * @param path the contract's file; `extends` may name a file relative to it
 * @throws ContractError if a base is missing, is not JSON or leads back to itself; as node:fs and JSON.parse if the contract
 * itself cannot be read
 */
export function readExtended(path: string, files: ContractFiles): ExtendedContract {
  return resolveChain(JSON.parse(files.read(path)), [resolve(path)], files);
}

/** @param chain the files read so far; the last one holds `json` */
function resolveChain(json: unknown, chain: readonly string[], files: ContractFiles): ExtendedContract {
  requireShallow(json);
  if (!isObject(json) || json.extends === undefined) return { document: json };
  const { extends: name } = json;
  if (typeof name !== 'string' || name === '')
    throw problem(
      `expected the name of a preset, or a path that begins with "." or "/". ${presetsOf(files)}`,
    );
  const basePath = pathOf(name, chain.at(-1) ?? '', files);
  if (chain.includes(basePath))
    throw problem(`a contract cannot extend itself: ${[...chain, basePath].join(' -> ')}`);
  const base = resolveChain(readBase(name, basePath, files), [...chain, basePath], files);
  return {
    document: extendContract(base.document, json),
    ...(json.samples === undefined ? { samplesFrom: base.samplesFrom ?? name } : {}),
  };
}

function pathOf(name: string, from: string, files: ContractFiles): string {
  if (/^[./]/.test(name)) return resolve(dirname(from), name);
  const presets = presetNames(files);
  if (presets.includes(name)) return resolve(presetPath(name, files));
  const renamed = explainRenamed(name);
  if (renamed !== undefined) throw problem(renamed);
  const [near] = nearestNames(name, presets);
  throw problem(
    `no preset is called "${name}"${near === undefined ? '.' : `; did you mean "${near}"?`} ${presetsOf(files)}`,
  );
}

function readBase(name: string, path: string, files: ContractFiles): unknown {
  let base: unknown;
  try {
    base = JSON.parse(files.read(path));
  } catch (error) {
    if (error instanceof SyntaxError) throw problem(`${name} is not JSON: ${whyNoJson(error)}`);
    if (error instanceof Error && 'code' in error)
      throw problem(`${name} cannot be read (${error.code}); it was expected at ${path}`);
    // What is no file, such as a pipe.
    if (error instanceof Error && error.name === 'ForeignFileError') throw problem(error.message);
    throw error;
  }
  if (!isObject(base)) throw problem(`${name} is not a contract: expected an object`);
  return base;
}

/** The presets that took the place of one, by its former name. */
const renamedPresets: Readonly<Record<string, readonly string[]>> = {
  'aws-end-user-messaging': ['aws-end-user-messaging-eventbridge', 'aws-end-user-messaging-bare'],
  messagebird: ['messagebird-jwt', 'messagebird-sms'],
  plivo: ['plivo-v3', 'plivo-v2'],
  sinch: ['sinch-conversation', 'sinch-sms'],
  vonage: ['vonage-messages', 'vonage-sms'],
};

/** Names the presets that took the place of one. @returns undefined for a name that no preset had */
export function explainRenamed(name: string): string | undefined {
  const presets = Object.hasOwn(renamedPresets, name) ? renamedPresets[name] : undefined;
  return presets && `the preset "${name}" is now ${presets.join(' or ')}, one for each product.`;
}

/** Lists the presets that `extends` may name, in alphabetical order. */
export function presetNames({ list, presets }: ContractFiles): readonly string[] {
  return list(presets)
    .flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -'.json'.length)] : []))
    .sort();
}

/** Names the presets as a part of a sentence, those of services first. */
export function listPresets(files: ContractFiles): string {
  const isService = (name: string) => describesEvents(readExtended(presetPath(name, files), files).document);
  const names = presetNames(files);
  const services = names.filter(isService).join(', ');
  const signatures = names.filter((name) => !isService(name)).join(', ');
  return signatures === ''
    ? services
    : `${services}; or, for a signature alone, whose events you describe yourself: ${signatures}`;
}

/** Reports whether a preset says what the events of a service mean. The others say only how requests are signed. */
export function describesEvents(preset: unknown): boolean {
  return isObject(preset) && preset.statuses !== undefined;
}

/** Returns the path of a preset's file. */
export function presetPath(name: string, { presets }: ContractFiles): string {
  return join(presets, `${name}.json`);
}

function presetsOf(files: ContractFiles): string {
  return `The presets are: ${listPresets(files)}.`;
}

function problem(message: string): ContractError {
  return new ContractError([`extends: ${message}`]);
}

/** The key that says which form an object has. Another form inherits nothing from the base. */
const formKeys: Readonly<Record<string, string>> = {
  'webhook.signature': 'scheme',
  'webhook.also.signature': 'scheme',
  'events.id': 'from',
  'lookups.authentication': 'kind',
  'lookups.send.paging': 'kind',
  'lookups.list.paging': 'kind',
};

/** An answer replaces that of the base as a whole: a status without content has no body. */
const replaced: ReadonlySet<string> = new Set(['webhook.acknowledge', 'webhook.probe']);

/** These keys describe the base's own file, so a contract does not inherit them. */
const notInherited: ReadonlySet<string> = new Set(['$schema', 'about', 'extends']);

/**
 * Lays a contract over its base: objects are merged key by key, while lists, texts, numbers and null replace the base's. A
 * signature of another `scheme`, an event id `from` elsewhere, or an answer replaces the base's as a whole. Inherited samples lose their
 * signed requests if the signature differs from the base's.
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
  const also = isObject(webhook) && isObject(webhook.also) ? webhook.also.signature : undefined;
  return isObject(webhook) ? [webhook.signature, also] : undefined;
}

function merge(base: unknown, own: unknown, path: string): unknown {
  if (!isObject(base) || !isObject(own) || replaced.has(path)) return own;
  const form = formKeys[path];
  if (form !== undefined && own[form] !== undefined && own[form] !== base[form]) return own;
  const isTop = path === '';
  const inherited = Object.entries(base).filter(([key]) => !(isTop && notInherited.has(key)));
  const added = Object.entries(own).filter(([key]) => !(isTop && key === 'extends'));
  const inheritedValues = new Map(inherited);
  return Object.fromEntries([
    ...inherited,
    ...added.map(([key, value]) => [
      key,
      inheritedValues.has(key)
        ? merge(inheritedValues.get(key), value, isTop ? key : `${path}.${key}`)
        : value,
    ]),
  ]);
}

/**
 * Adapts inherited samples to another signature than the base's. The samples' signed requests no longer verify, so they are dropped,
 * together with samples that show nothing else and with expected values that only the request supplied.
 *
 * @param samples as the base's file holds them
 * @param events the `events` section of the contract that inherits
 */
function samplesWithoutRequests(samples: readonly unknown[], events: unknown): unknown[] {
  return samples.flatMap((sample) => {
    if (!isObject(sample) || sample.request === undefined) return [sample];
    const { request: _, becomes, ...rest } = sample;
    if (!Array.isArray(becomes)) return [];
    return [{ ...rest, becomes: becomes.map((event: unknown) => withoutRequestFacts(event, events)) }];
  });
}

/** Drops the expected values that do not come from the body: the time of receipt and the signed id. */
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

/**
 * Completes a preset with what it leaves out: the service's own API, and the events if the preset describes only a signature.
 *
 * @param preset as its file holds it, resolved; a complete contract is returned unchanged
 * @param project returns the project's contract, resolved; called only if something is missing
 */
export function completePreset(preset: unknown, project: () => unknown): unknown {
  if (!isObject(preset) || preset.service !== undefined) return preset;
  const base = project();
  if (!isObject(base)) return preset;
  const { service, events, statuses, webhook } = base;
  const isSignatureOnly = !isObject(preset.events) || preset.events.list === undefined;
  return extendContract(
    { service, ...(isSignatureOnly ? { events, statuses, webhook } : {}), samples: [] },
    preset,
  );
}
