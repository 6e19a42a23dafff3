import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { contractFiles } from '../../contract/document/contract-file-store.ts';
import { presetNames, readExtended } from '../../contract/document/extend.ts';
import { packageFolder } from '../../contract/document/package-store.ts';
import { coversBody, type SignatureContract } from '../../contract/schema/contract-schema.ts';
import { coverageOf } from '../../contract/schema/coverage.ts';
import { signature } from '../../contract/schema/signature-schema.ts';
import {
  type Placeholder,
  parseTemplate,
  type WebhookMethod,
} from '../../contract/schema/signed-template.ts';

const fields = z.record(z.string(), z.unknown());

/** What the table says of a preset. */
const presetFile = z.looseObject({
  webhook: z.looseObject({ signature, method: z.enum(['GET', 'POST']).default('POST') }),
  /** A preset without them describes a signature alone. */
  statuses: z.looseObject({}).optional(),
  events: z.looseObject({ status: fields.default({}), reply: fields.default({}) }).optional(),
});

export interface Preset {
  readonly name: string;
  readonly signature: SignatureContract;
  readonly method: WebhookMethod;
  /** Whether the preset says where the events and their fields are. */
  readonly isWhole: boolean;
  /** The fields that it reads, such as `status.price`. */
  readonly reads: ReadonlySet<string>;
}

/** Reads all presets, in the order of their names. */
export function readPresets(): readonly Preset[] {
  return presetNames(contractFiles).map((name) => {
    const { document } = readExtended(join(contractFiles.presets, `${name}.json`), contractFiles);
    const { webhook, statuses, events = { status: {}, reply: {} } } = presetFile.parse(document);
    const reads = (['status', 'reply'] as const).flatMap((kind) =>
      Object.entries(events[kind]).flatMap(([field, expression]) =>
        typeof expression === 'string' ? [`${kind}.${field}`] : [],
      ),
    );
    return { name, ...webhook, isWhole: statuses !== undefined, reads: new Set(reads) };
  });
}

/** Finds the page of a preset in docs/providers/: `vonage.md` is the page of `vonage-sms`. */
export function providerPage(
  name: string,
  folder = join(packageFolder, 'docs/providers'),
): string | undefined {
  const words = name.split('-');
  return words
    .map((_, index) => `${words.slice(0, words.length - index).join('-')}.md`)
    .find((page) => existsSync(join(folder, page)));
}

/** Lists the pages in docs/providers/ that are pages of services with presets. */
export function providerPages(): readonly string[] {
  const pages = readPresets().flatMap(({ name, isWhole }) => (isWhole ? (providerPage(name) ?? []) : []));
  return [...new Set(pages)];
}

const listed = new Intl.ListFormat('en');

/** Lists the presets in Markdown: services that sign, services that send the secret itself, and signatures alone. */
export function presetLists(presets: readonly Preset[]): string {
  const [whole, alone] = partition(presets, ({ isWhole }) => isWhole);
  const [tokens, signing] = partition(whole, ({ signature: { scheme } }) => scheme === 'token');
  return [
    'These services sign their requests:',
    grouped(signing, ({ signature: scheme, method }) => {
      const { unsigned } = partsOf(scheme, method);
      return unsigned.length === 0
        ? 'the signature covers everything'
        : `the signature does not cover ${listed.format(unsigned.map((part) => `the ${part}`))}`;
    }),
    'These services sign nothing. They send the secret itself with each request:',
    grouped(tokens, ({ signature: scheme }) => howOf(scheme)),
    'These presets describe only how requests are signed, for services that are not in the lists above. You describe the events yourself:',
    grouped(alone, ({ signature: scheme }) =>
      scheme.scheme === 'token' ? `the secret itself, ${howOf(scheme)}` : howOf(scheme),
    ),
  ].join('\n\n');
}

/** The columns of the table of fields, with the field of the contract that each is about. */
const columns = {
  send: 'status.sendId',
  price: 'status.price',
  segments: 'status.segments',
  network: 'status.network',
  carrier: 'status.carrier',
  'last report': 'status.final',
  'ids of parts': 'status.parentMessageId',
  media: 'reply.media',
  'reply in parts': 'reply.partReference',
  'opt-outs': 'reply.optOut',
  channel: 'status.channel',
} as const;

/** Lists in Markdown which optional fields each preset of a service reads. */
export function fieldTable(presets: readonly Preset[]): string {
  const rows = presets
    .filter(({ isWhole }) => isWhole)
    .map((preset) => [
      linkTo(preset),
      ...Object.values(columns).map((field) => (preset.reads.has(field) ? 'yes' : '')),
    ]);
  const head = ['preset', ...Object.keys(columns)];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): readonly [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

/** Lists the presets by what they have in common. */
function grouped(presets: readonly Preset[], groupOf: (preset: Preset) => string): string {
  return [...Map.groupBy(presets, groupOf)]
    .map(([group, members]) => `- **${group}**: ${members.map(linkTo).join(', ')}`)
    .join('\n');
}

function linkTo({ name }: Preset): string {
  const page = providerPage(name);
  return page === undefined ? `\`${name}\`` : `[\`${name}\`](${page})`;
}

function howOf(scheme: SignatureContract): string {
  switch (scheme.scheme) {
    case 'hmac':
      return `HMAC-${scheme.algorithm.toUpperCase()}`;
    case 'hash':
      return `${scheme.algorithm.toUpperCase()} with the secret inside`;
    case 'public-key':
      return scheme.algorithm;
    case 'jwt':
      return `JWT, ${scheme.algorithm}`;
    case 'token':
      return scheme.prefix === 'Basic ' ? 'as basic authentication' : placeOf(scheme);
    case 'none':
      return 'nothing';
  }
}

function placeOf({ header, query, body }: Extract<SignatureContract, { scheme: 'token' }>): string {
  if (header !== undefined) return `in the header \`${header}\``;
  return query === undefined ? `in the body, \`${body}\`` : `in the URL, \`?${query}=\``;
}

/** Lists what a signature covers, and what of body, URL and time it leaves out. */
export function partsOf(
  scheme: SignatureContract,
  method: WebhookMethod,
): { readonly signed: readonly string[]; readonly unsigned: readonly string[] } {
  if (scheme.scheme === 'token' || scheme.scheme === 'none')
    return { signed: [], unsigned: ['body', 'URL', 'time'] };
  const named = scheme.scheme === 'jwt' ? claimsOf(scheme) : placeholdersOf(scheme);
  const isUrlSigned =
    scheme.scheme === 'jwt'
      ? scheme.urlHash !== null
      : coverageOf(scheme, method).query || named.includes('URL');
  const unsigned = [
    ...(coversBody(scheme, method) ? [] : ['body']),
    ...(isUrlSigned ? [] : ['query of the URL']),
    ...(scheme.timestamp === null ? ['time'] : []),
  ];
  return { signed: [...new Set(named)], unsigned };
}

function claimsOf({
  payloadHash,
  urlHash,
  id,
  timestamp,
}: Extract<SignatureContract, { scheme: 'jwt' }>): string[] {
  return [
    ...(payloadHash === null ? [] : ['body']),
    ...(urlHash === null ? [] : ['URL']),
    ...(id === null ? [] : ['id']),
    ...(timestamp === null ? [] : ['time']),
  ];
}

function placeholdersOf(scheme: Extract<SignatureContract, { signedContent: string }>): string[] {
  const named = parseTemplate(scheme.signedContent).placeholders.flatMap(
    (part) => part && (nameOf(part) ?? []),
  );
  const parts = [...named.filter((name) => name !== undefined), ...(scheme.payloadHash ? ['body'] : [])];
  // A time among the parameters is signed with them.
  return scheme.timestamp === null || parts.includes('time') ? parts : [...parts, 'time'];
}

const lists = { form: 'body', fields: 'body', query: 'query', params: 'query and body' } as const;
const urls = {
  url: 'URL',
  'url:base': 'URL without its query',
  host: 'host',
  path: 'path',
  'path:query': 'path and query',
  query: 'query',
} as const;

function nameOf(part: Placeholder): string | undefined {
  switch (part.kind) {
    case 'secret':
      return undefined;
    case 'list':
      return lists[part.list.source];
    case 'url':
      return urls[part.part];
    case 'timestamp':
      return 'time';
    case 'header':
      return /nonce/.test(part.name) ? 'nonce' : `\`${part.name}\``;
    case 'field':
    case 'parameter':
      return `\`${part.name}\``;
    default:
      return part.kind;
  }
}
