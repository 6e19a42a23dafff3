import { idsFor, splitId } from '../../contract/events/source-id.ts';
import { CommandFailure } from './errors.ts';

/**
 * Finds what has an id: an id alone, which several sources may use, or `source/id`.
 *
 * @param kind what it is, for the message
 * @param sources the names of the sources to look in
 * @returns it, and its id in the history; undefined if nothing has the id
 * @throws CommandFailure if several sources use the id
 */
export async function findById<T>(
  kind: 'message' | 'send',
  text: string,
  sources: readonly string[],
  read: (id: string) => Promise<T | undefined>,
): Promise<{ readonly id: string; readonly value: T } | undefined> {
  const found = await Promise.all(idsFor(text, sources).map(async (id) => ({ id, value: await read(id) })));
  const [first, ...others] = found.flatMap(({ id, value }) => (value === undefined ? [] : [{ id, value }]));
  if (first === undefined || others.length === 0) return first;
  const names = [first, ...others].map(({ id }) => splitId(id).source);
  throw new CommandFailure(
    `Several sources have a ${kind} with this id: ${names.join(', ')}. Write the id as ${names.map((name) => `${name}/<id>`).join(' or ')}.`,
  );
}
