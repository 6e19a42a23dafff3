/** What every delivery report and every version of a reply has, as the history keeps it. */
interface Entry {
  readonly eventId: string;
  /** Only of delivery reports. */
  readonly rank?: number;
  /** ISO 8601 in UTC, as is `receivedAt`. */
  readonly occurredAt: string;
  readonly receivedAt: string;
}

/**
 * What an entry says, without its times, as canonical JSON. Half a character counts as its replacement, because a database keeps
 * only that.
 */
export function contentOf({ occurredAt, receivedAt, ...content }: Entry): string {
  const fields = Object.entries(content)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, typeof value === 'string' ? value.toWellFormed() : value] as const);
  return JSON.stringify(fields.sort(([a], [b]) => compareText(a, b)));
}

/**
 * Orders entries of one event id: positive where `a` is kept. It is a total order of what the entries say, so the result depends
 * neither on the order nor on the time of storage. The greater rank is kept, then the greater content. Of copies of one content the
 * earlier time is kept, then the earlier receipt: where the contract has no event times, both are the time of receipt.
 */
function compareContents(a: Entry, b: Entry): number {
  return (
    (a.rank ?? 0) - (b.rank ?? 0) ||
    compareText(contentOf(a), contentOf(b)) ||
    compareText(b.occurredAt, a.occurredAt) ||
    compareText(b.receivedAt, a.receivedAt)
  );
}

/** Whether `entry` replaces the known entry of its event id. A repeat that changes nothing does not. */
export function replaces(entry: Entry, known: Entry | undefined): boolean {
  return known === undefined || compareContents(entry, known) > 0;
}

/** How entries change what is known. */
export interface Changes<E> {
  /** Their event ids are new. */
  readonly added: readonly E[];
  /** They replace another content, or other times, under their event ids. */
  readonly replaced: readonly E[];
}

/** @param known by event id */
export function changesOf<E extends Entry>(
  entries: Iterable<E>,
  known: ReadonlyMap<string, E> | undefined,
): Changes<E> {
  const kept = [...entries].filter((entry) => replaces(entry, known?.get(entry.eventId)));
  return {
    added: kept.filter((entry) => known?.has(entry.eventId) !== true),
    replaced: kept.filter((entry) => known?.has(entry.eventId) === true),
  };
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
