import { type Column, filled } from './columns.ts';
import { type Proposal, propose } from './proposal.ts';
import { type Candidate, rankColumns } from './rank-columns.ts';
import { type TimeFormat, timeFormatOf } from './scalar.ts';

/** The time that was chosen: how it is written, and JMESPath to it; undefined where none was. */
export interface TimeFound {
  readonly format: TimeFormat | undefined;
  readonly path: string | undefined;
}

/**
 * A time near the status, of a message and not of an envelope, goes first among those that are called alike.
 *
 * @param other how the other kind of events writes its times, and where: a contract has one format
 */
export function timeCandidates(
  columns: readonly Column[],
  names: ReadonlyMap<string, number>,
  near: readonly (Candidate | undefined)[],
  { format: wanted, path: preferred }: TimeFound = { format: undefined, path: undefined },
): Candidate[] {
  const holders = new Set(near.map((candidate) => candidate?.column.holder));
  const times = rankColumns(columns, {
    names,
    fits: (value) => {
      const format = timeFormatOf(value);
      return format !== undefined && (wanted === undefined || format === wanted);
    },
    looks: saysTime,
    bonus: ({ holder, path }) => (path === preferred ? 15 : 0) + (holders.has(holder) ? 12 : 0),
  });
  const format = formatOf(times[0]);
  return times.filter((candidate) => formatOf(candidate) === format);
}

/** Whatever it is called: ids and numbers of people look like Unix times, dates do not look like anything else. */
function saysTime(column: Column): boolean {
  return (
    formatOf({ column, score: 0 }) === 'iso8601' && !/^(?:expir|valid|schedul|birth)/.test(column.name.last)
  );
}

function formatOf(candidate: Candidate | undefined): TimeFormat | undefined {
  const [first] = candidate === undefined ? [] : filled(candidate.column);
  return first === undefined ? undefined : timeFormatOf(first);
}

export function timeFound([best]: readonly Candidate[]): TimeFound {
  return { format: formatOf(best), path: best?.column.path };
}

export function proposeTime(candidates: readonly Candidate[], key: string): Proposal {
  if (candidates.length > 0) return propose(candidates, { key, isRequired: true });
  return {
    key,
    value: null,
    isCertain: false,
    rivals: [],
    note: 'no field tells a time: that of arrival stands for it',
  };
}
