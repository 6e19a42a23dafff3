import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { isObject } from '../../../contract/text/json.ts';
import { type BodyKind, bodyKindSentences } from '../../../discovery/captured/body-kind.ts';
import type { Writable } from '../../../discovery/contract-to-write.ts';
import type { Discovery } from '../../../discovery/discovery.ts';
import type { Proposal } from '../../../discovery/proposal.ts';
import type { SearchOutcome } from '../../../discovery/signature/find-signature.ts';
import { formatCount } from '../../../functions/base/basics.ts';
import { showPhone, showText, type View } from '../../output/print.ts';
import { sanitize } from '../../text/sanitize.ts';
import { type Cell, clip, renderTable } from '../../text/table.ts';

/** Formats an example; without --reveal it masks numbers and hides texts. */
export function showExample({ of, value }: NonNullable<Proposal['example']>, view: View): string {
  if (of === 'number') return showPhone(value, view);
  if (of === 'text' && !view.reveal) return `a text of ${[...value].length} characters`;
  return clip(showText(value, view), 60);
}

/** One key of a contract that changed. */
export interface Change {
  readonly path: string;
  /** JSON; undefined for a key that did not exist. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Returns the differences between two contracts; for samples only their counts. */
export function changesOf(before: Contract, after: Contract): Change[] {
  const { webhook, events, statuses, errors } = before;
  const changes = differences(
    { webhook, events, statuses, errors },
    { webhook: after.webhook, events: after.events, statuses: after.statuses, errors: after.errors },
    [],
  );
  return isDeepStrictEqual(before.samples, after.samples)
    ? changes
    : [
        ...changes,
        {
          path: 'samples',
          before: formatCount(before.samples.length, 'sample'),
          after: formatCount(after.samples.length, 'sample'),
        },
      ];
}

function differences(before: unknown, after: unknown, path: readonly string[]): Change[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isObject(before) || !isObject(after))
    return [{ path: path.join('.'), before: textOf(before), after: textOf(after) }];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    differences(before[key], after[key], [...path, key]),
  );
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}

export const discoveryDocument = z.object({
  captures: z.int(),
  signature: z
    .object({
      found: z.boolean(),
      scheme: z
        .record(z.string(), z.unknown())
        .exactOptional()
        .describe('As webhook.signature of contract.json.'),
      fits: z.int().exactOptional().describe('How many captures verify by it.'),
      tried: z.int().describe('How many candidates were checked.'),
      ambiguities: z.array(z.string()).exactOptional(),
      searched: z.array(z.string()).exactOptional(),
      missing: z.array(z.string()).exactOptional(),
    })
    .nullable()
    .describe('Null without a secret.'),
  bodies: z.object({
    used: z.int(),
    readable: z.int(),
    others: z
      .array(z.object({ kind: z.string(), count: z.int() }))
      .describe('What the bodies are that were not read.'),
  }),
  proposals: z.array(
    z.object({
      place: z.string().describe('The place in contract.json.'),
      value: z.string().nullable(),
      found: z.boolean(),
      certain: z.boolean(),
      rivals: z.array(z.string()),
      example: z.string().exactOptional().describe('Masked.'),
      note: z.string().exactOptional(),
    }),
  ),
  events: z.object({
    read: z.int(),
    of: z.int(),
    problems: z.array(z.string()),
    withoutCountry: z.int(),
  }),
  remarks: z
    .array(z.string())
    .describe('What the captures hold that no proposal reads, and what to do about it.'),
  written: z.boolean(),
  changes: z
    .array(
      z.object({ path: z.string(), before: z.string().exactOptional(), after: z.string().exactOptional() }),
    )
    .exactOptional(),
  missing: z.array(z.string()).exactOptional(),
});

/**
 * Returns the JSON of a discovery. Its examples are masked like those for people, because such documents are often shared.
 *
 * @param writable what was written; undefined if nothing was
 */
export function discoveryJson(
  { captures, signature, bodies, bodiesUsed, proposals, reads, remarks }: Discovery,
  writable: Writable | undefined,
  changes: readonly Change[],
  view: View,
): unknown {
  return {
    captures,
    signature: signature === undefined ? null : signatureJson(signature, view),
    bodies: {
      used: bodiesUsed,
      readable: bodies.bodies.length,
      others: [...bodies.others].map(([kind, count]) => ({ kind, count })),
    },
    proposals: proposals.map(({ key, value, isCertain, rivals, example, note }) => ({
      place: showText(key, view),
      value: typeof value === 'string' ? showText(value, view) : (value ?? null),
      found: value !== undefined,
      certain: isCertain,
      rivals: rivals.map((rival) => showText(rival, view)),
      ...(example === undefined ? {} : { example: showExample(example, view) }),
      ...(note === undefined ? {} : { note }),
    })),
    events: {
      read: reads.events,
      of: reads.of,
      problems: reads.problems,
      withoutCountry: reads.withoutCountry,
    },
    remarks: remarks.map((remark) => showText(remark, view)),
    written: writable !== undefined,
    ...(writable === undefined ? {} : { changes, missing: writable.missing }),
  };
}

function signatureJson({ kind, ...outcome }: SearchOutcome, view: View): unknown {
  const shown = (_: string, value: unknown) => (typeof value === 'string' ? showText(value, view) : value);
  return JSON.parse(JSON.stringify({ found: kind === 'found', ...outcome }, shown));
}

export function renderDiscovery(discovery: Discovery, view: View): string {
  const { captures, signature, bodies, bodiesUsed, repeats, mapping, proposals, reads, remarks } = discovery;
  const unclear = mapping.events.filter(({ kind }) => kind === undefined).length;
  const unverified = captures - bodiesUsed - repeats;
  const without = [
    ...(unverified > 0 ? [`${formatCount(unverified, 'request')} whose signature does not verify`] : []),
    ...(repeats > 0 ? [formatCount(repeats, 'repeat')] : []),
  ].join(' and ');
  const mappingFrom =
    without === ''
      ? formatCount(captures, 'request')
      : `${bodiesUsed} of ${formatCount(captures, 'request')}, without ${without}`;
  return [
    renderSignature(signature, captures, view),
    '',
    `${view.style('bold', 'Mapping')}: ${formatCount(mapping.events.length, 'event')} in ${mappingFrom}`,
    ...[...bodies.others].map(([kind, count]) => describeBodies(kind, count)),
    ...(unclear > 0
      ? [`${formatCount(unclear, 'event')} looked like neither a delivery report nor a reply: ignored.`]
      : []),
    ...remarks.map((remark) => showText(remark, view)),
    renderProposals(proposals, view),
    '',
    `Read by it: ${reads.events} of ${formatCount(reads.of, 'captured event')}${reads.problems.length === 0 ? '.' : `; not: ${reads.problems.join(', ')}.`}`,
    ...(reads.withoutCountry > 0
      ? [
          `${formatCount(reads.withoutCountry, 'event')} with a number without a country code: set events.defaultCountry.`,
        ]
      : []),
  ].join('\n');
}

/** Says what bodies are that were not read. */
function describeBodies(kind: BodyKind, count: number): string {
  return `${formatCount(count, 'body is', 'bodies are')} ${bodyKindSentences[kind]}`;
}

function renderSignature(outcome: SearchOutcome | undefined, captures: number, view: View): string {
  const title = view.style('bold', 'Signature');
  if (outcome === undefined)
    return `${title}: not searched without a secret (--secret-from-service, --secret-file). The contract keeps its signature.`;
  const count = outcome.tried.toLocaleString('en');
  const tried =
    outcome.tried === 0
      ? 'there was nothing to try'
      : `${count} ${outcome.tried === 1 ? 'candidate' : 'candidates'} tried`;
  if (outcome.kind === 'found')
    return [
      `${title}: ${view.style('green', 'found')}, fits ${outcome.fits} of ${formatCount(captures, 'request')}; ${tried}`,
      JSON.stringify({ signature: outcome.scheme }, null, 2),
      ...(outcome.ambiguities ?? []).map((text) => `Note: ${showText(text, view)}`),
    ].join('\n');
  return [
    `${title}: ${view.style('red', 'not found')}; ${tried}`,
    ...outcome.searched.map((text) => `  searched: ${showText(text, view)}`),
    ...outcome.missing.map((text) => `  ${showText(text, view)}`),
  ].join('\n');
}

function renderProposals(proposals: readonly Proposal[], view: View): string {
  const rows = proposals.map(({ key, value, isCertain, rivals, example, note }): Cell[] => {
    const details = [
      ...(example === undefined ? [] : [showExample(example, view)]),
      ...(note === undefined ? [] : [note]),
      ...(rivals.length === 0 ? [] : [`or ${rivals.map((rival) => showText(rival, view)).join(', ')}`]),
    ];
    return [
      { text: showText(key, view) },
      value === undefined
        ? { text: 'not found', format: 'red' }
        : {
            text: value === null ? '-' : showText(value, view),
            ...(value === null ? { format: 'dim' } : {}),
          },
      isCertain ? { text: 'certain' } : { text: 'guessed', format: 'yellow' },
      { text: details.join('; '), format: 'dim' },
    ];
  });
  return rows.length === 0
    ? 'No event was recognised.'
    : renderTable(
        [{ title: 'PLACE' }, { title: 'PROPOSED' }, { title: '' }, { title: 'FOR EXAMPLE' }],
        rows,
        view,
      );
}

/** Renders a line for each changed key. */
export function renderChanges(changes: readonly Change[]): string {
  return changes
    .map(({ path, before, after }) =>
      sanitize(
        before === undefined
          ? `  + ${path}: ${after}`
          : after === undefined
            ? `  - ${path}: ${before}`
            : `  ${path}: ${before} -> ${after}`,
      ),
    )
    .join('\n');
}
