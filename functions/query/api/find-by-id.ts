import { idsFor, splitId } from '../../../contract/events/source-id.ts';
import { ParametersError } from './routes/problem.ts';

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

/**
 * Finds what has an id.
 *
 * @param parameter names the parameter in the error
 * @throws ParametersError if several sources use the id
 */
export async function findOne<T>(
  parameter: string,
  text: string,
  sources: readonly string[],
  read: (id: string) => Promise<T | undefined>,
): Promise<Found<T> | undefined> {
  const [found, ...others] = await findAll(text, sources, read);
  if (found === undefined || others.length === 0) return found;
  const names = [found, ...others].map(({ id }) => splitId(id).source).join(', ');
  throw new ParametersError([
    { parameter, detail: `expected source/id, because several sources use this id: ${names}` },
  ]);
}
