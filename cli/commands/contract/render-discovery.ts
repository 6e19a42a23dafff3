import { isDeepStrictEqual } from 'node:util';
import type { Writable } from '../../../contract/discovery/contract-to-write.ts';
import type { Discovery } from '../../../contract/discovery/discovery.ts';
import type { Proposal } from '../../../contract/discovery/proposal.ts';
import type { SearchOutcome } from '../../../contract/discovery/signature/find-signature.ts';
import { isObject } from '../../../contract/events/body.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { maskNumbers, showPhone, type View } from '../../output/print.ts';
import { sanitize } from '../../text/sanitize.ts';
import { type Cell, clip, renderTable } from '../../text/table.ts';

/** An example as it may be shown: numbers masked and texts hidden unless the reader asked for them. */
export function showExample({ of, value }: NonNullable<Proposal['example']>, view: View): string {
  if (of === 'number') return showPhone(value, view);
  if (of === 'text' && !view.reveal) return `a text of ${[...value].length} characters`;
  const shown = clip(sanitize(value), 60);
  // A number of a person may stand where none is looked for.
  return view.reveal ? shown : shown.replace(/\+\d[\d\s().-]{6,}/g, maskNumbers);
}

/** One place of a contract that says something else than before. */
export interface Change {
  readonly path: string;
  /** As JSON; undefined where there was nothing. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What a contract says otherwise than another; of samples only how many there are. */
export function changesOf(before: Contract, after: Contract): Change[] {
  const { webhook, events, statuses, errors } = before;
  const changes = differences(
    { webhook, events, statuses, errors },
    { webhook: after.webhook, events: after.events, statuses: after.statuses, errors: after.errors },
    [],
  );
  return isDeepStrictEqual(before.samples, after.samples)
    ? changes
    : [...changes, { path: 'samples', before: countOf(before), after: countOf(after) }];
}

function countOf({ samples }: Contract): string {
  return `${samples.length} ${samples.length === 1 ? 'sample' : 'samples'}`;
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

/**
 * What was found, for machines. Examples are as people see them: such documents get around.
 *
 * @param writable what was written; undefined where nothing was
 */
export function discoveryJson(
  { captures, signature, bodies, bodiesUsed, proposals, reads }: Discovery,
  writable: Writable | undefined,
  changes: readonly Change[],
  view: View,
): unknown {
  return {
    captures,
    signature: signature === undefined ? null : signatureJson(signature),
    bodies: { used: bodiesUsed, readable: bodies.bodies.length },
    proposals: proposals.map(({ key, value, isCertain, rivals, example, note }) => ({
      place: key,
      value: value ?? null,
      found: value !== undefined,
      certain: isCertain,
      rivals,
      ...(example === undefined ? {} : { example: showExample(example, view) }),
      ...(note === undefined ? {} : { note }),
    })),
    events: {
      read: reads.events,
      of: reads.of,
      problems: reads.problems,
      withoutCountry: reads.withoutCountry,
    },
    written: writable !== undefined,
    ...(writable === undefined ? {} : { changes, missing: writable.missing }),
  };
}

function signatureJson({ kind, ...outcome }: SearchOutcome): unknown {
  return { found: kind === 'found', ...outcome };
}

/** What was found, for people. */
export function renderDiscovery(discovery: Discovery, view: View): string {
  const { captures, signature, bodies, bodiesUsed, mapping, proposals, reads } = discovery;
  const unread = bodiesUsed - bodies.bodies.length;
  const unclear = mapping.events.filter(({ kind }) => kind === undefined).length;
  const mappingFrom =
    bodiesUsed < captures ? `the ${bodiesUsed} requests that verify` : `${count(bodiesUsed, 'request')}`;
  return [
    renderSignature(signature, captures, view),
    '',
    `${view.style('bold', 'Mapping')}: ${count(mapping.events.length, 'event')} in ${mappingFrom}`,
    ...(unread > 0 ? [`${count(unread, 'body', 'bodies')} could not be read as ${bodies.format}.`] : []),
    ...(unclear > 0
      ? [`${count(unclear, 'event')} looked like neither a delivery report nor a reply, and told nothing.`]
      : []),
    renderProposals(proposals, view),
    '',
    `Read by it: ${reads.events} of ${count(reads.of, 'captured event')}${reads.problems.length === 0 ? '.' : `; not: ${reads.problems.join(', ')}.`}`,
    ...(reads.withoutCountry > 0
      ? [
          `${count(reads.withoutCountry, 'event')} with a number without a country code: say whose they are in events.defaultCountry.`,
        ]
      : []),
  ].join('\n');
}

function renderSignature(outcome: SearchOutcome | undefined, captures: number, view: View): string {
  const title = view.style('bold', 'Signature');
  if (outcome === undefined)
    return `${title}: not searched, as no secret was given (--secret-from-service, --secret-file). The contract's stays.`;
  const tried = `${outcome.tried.toLocaleString('en')} candidates tried`;
  if (outcome.kind === 'found')
    return [
      `${title}: ${view.style('green', 'found')}, fits ${outcome.fits} of ${count(captures, 'request')}; ${tried}`,
      JSON.stringify({ signature: outcome.scheme }, null, 2),
      ...(outcome.ambiguities ?? []).map((text) => `Mind: ${sanitize(text)}`),
    ].join('\n');
  return [
    `${title}: ${view.style('red', 'not found')}; ${tried}`,
    ...outcome.searched.map((text) => `  searched: ${sanitize(text)}`),
    ...outcome.missing.map((text) => `  ${sanitize(text)}`),
  ].join('\n');
}

function renderProposals(proposals: readonly Proposal[], view: View): string {
  const rows = proposals.map(({ key, value, isCertain, rivals, example, note }): Cell[] => {
    const details = [
      ...(example === undefined ? [] : [showExample(example, view)]),
      ...(note === undefined ? [] : [note]),
      ...(rivals.length === 0 ? [] : [`or ${rivals.map(sanitize).join(', ')}`]),
    ];
    return [
      { text: sanitize(key) },
      value === undefined
        ? { text: 'not found', format: 'red' }
        : { text: value === null ? '-' : sanitize(value), ...(value === null ? { format: 'dim' } : {}) },
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

/** What was written, a line for each place. */
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

export function count(number: number, one: string, several = `${one}s`): string {
  return `${number} ${number === 1 ? one : several}`;
}
