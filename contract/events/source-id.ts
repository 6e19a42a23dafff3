/**
 * A source is a sender of delivery reports: an account at an SMS service, with a contract, an address and a secret of its own. Several
 * sources share one history. Services choose their ids without knowledge of each other, so the history knows a message by its source and
 * its id: `backup/msg-1`. The ids of the source `main`, which every pipeline has, stay as they are.
 */
export const mainSource = 'main';

/** The names of sources: words of lower-case letters and digits with hyphens between them, because they are in keys, addresses and metrics. */
export const sourceName = /^(?=.{1,30}$)[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/;

/** Returns the name of a source as a part of the ids of constructs and outputs: `brazil-backup` becomes `BrazilBackup`. */
export function wordsOf(source: string): string {
  return source
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

const withSource = /^([a-z][a-z0-9-]{0,29})\/(.*)$/s;

/** An id of a service, and the source that uses it. */
export interface SourceId {
  readonly source: string;
  readonly id: string;
}

/** Returns the id in the history. Different ids of services never become the same: an id of `main` that looks like one of another source is written with `main/`. */
export function historyId({ source, id }: SourceId): string {
  return source === mainSource && !withSource.test(id) ? id : `${source}/${id}`;
}

/** Splits an id that {@link historyId} returned. */
export function splitId(text: string): SourceId {
  const [, source = mainSource, id = text] = withSource.exec(text) ?? [];
  return { source, id };
}

/**
 * Returns the ids in the history that a text may stand for: an id with its source, as in `backup/msg-1`, or an id alone, which any of the
 * sources may use.
 *
 * @param sources the names of all sources
 */
export function idsFor(text: string, sources: readonly string[]): readonly string[] {
  const named = namedId(text, sources);
  const ofAny = sources.map((source) => historyId({ source, id: text }));
  return named === undefined ? ofAny : [...new Set([named, ...ofAny])];
}

/** Returns the id in the history that a text names together with its source; undefined if it names none of the sources. */
export function namedId(text: string, sources: readonly string[]): string | undefined {
  const named = splitId(text);
  return withSource.test(text) && named.id !== '' && sources.includes(named.source)
    ? historyId(named)
    : undefined;
}

/** The ids of a message, or of a reply and the message that it answers. */
interface Ids {
  readonly messageId?: string | undefined;
  readonly sendId?: string | undefined;
  readonly replyId?: string | undefined;
}

const idNames = ['messageId', 'sendId', 'replyId'] as const;

/** Returns an event of a source with the ids that the history knows it by. */
export function withHistoryIds<T extends Ids>(source: string, event: T): T {
  const ids: Record<string, string> = {};
  for (const name of idNames) {
    const id = event[name];
    if (typeof id === 'string') ids[name] = historyId({ source, id });
  }
  return { ...event, ...ids };
}

/** Returns ids as their service writes them, and their source unless it is `main`. All of them are of one source. */
export function serviceIds<T extends Ids>(entry: T): T & { readonly source?: string } {
  const ids: Record<string, string> = {};
  let source = mainSource;
  for (const name of idNames) {
    const id = entry[name];
    if (id !== undefined) ({ source, id: ids[name] } = splitId(id));
  }
  return { ...(source !== mainSource && { source }), ...entry, ...ids };
}
