import { AmbiguousIdError, findOne } from '../../functions/query/index.ts';
import { CommandFailure } from './errors.ts';

/** Finds what has an id, as the query API does. @throws CommandFailure if several sources use the id */
export async function findById<T>(
  text: string,
  sources: readonly string[],
  read: (id: string) => Promise<T | undefined>,
): Promise<{ readonly id: string; readonly value: T } | undefined> {
  try {
    return await findOne(text, sources, read);
  } catch (error) {
    if (error instanceof AmbiguousIdError) throw new CommandFailure(error.message);
    throw error;
  }
}
