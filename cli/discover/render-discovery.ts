import type { View } from '../print.ts';
import { sanitize } from '../text/sanitize.ts';
import { type Cell, renderTable } from '../text/table.ts';
import type { Change } from './contract-changes.ts';
import type { Discovery } from './discovery.ts';
import type { Proposal } from './proposal.ts';
import { showExample } from './show-example.ts';
import type { SearchOutcome } from './signature/find-signature.ts';

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
  if (outcome.found)
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
