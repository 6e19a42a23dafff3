import { idsFor, namedId, splitId } from '../../../contract/events/source-id.ts';

/** What was found, and its id in the history. */
interface Found<T> {
  readonly id: string;
  readonly value: T;
}

/**
 * Finds everything with an id, which several sources may use.
 *
 * @param text an id, or `source/id`
 * @param sources the names of all sources
 * @param read returns undefined if nothing has the id
 */
export async function findAll<T>(
  text: string,
  sources: readonly string[],
  read: (id: string) => Promise<T | undefined>,
): Promise<readonly Found<T>[]> {
  const found = await Promise.all(
    idsFor(text, sources).map(async (id) => {
      const value = await read(id);
      return value === undefined ? [] : [{ id, value }];
    }),
  );
  return found.flat();
}

/** Thrown for an id that several sources use. */
export class AmbiguousIdError extends Error {
  override readonly name = 'AmbiguousIdError';

  /** @param sources the names of the sources that use it */
  constructor(sources: readonly string[]) {
    super(
      `Several sources use this id: ${sources.join(', ')}. Write it with its source: ${sources.map((source) => `${source}/<id>`).join(' or ')}.`,
    );
  }
}

/**
 * Finds what has an id. A text with the name of a source is first of all an id of that source: otherwise the message `x` of the source backup
 * could not be named while main has an id `backup/x`, which `main/backup/x` names.
 *
 * @throws AmbiguousIdError if several sources use the id
 */
export async function findOne<T>(
  text: string,
  sources: readonly string[],
  read: (id: string) => Promise<T | undefined>,
): Promise<Found<T> | undefined> {
  const [found, ...others] = await findAll(text, sources, read);
  if (found === undefined || others.length === 0 || found.id === namedId(text, sources)) return found;
  throw new AmbiguousIdError([found, ...others].map(({ id }) => splitId(id).source));
}
