import type { Clock } from '../../functions/base/basics.ts';
import type { Connection } from './connection.ts';

/**
 * Returns a clock with the time of AWS, by which the pipeline says what it received before and after something. The clock of this machine may be
 * wrong, and counts only if AWS does not answer.
 */
export async function clockOfAws(connection: Pick<Connection, 'caller'>, clock: Clock): Promise<Clock> {
  const { now: timeOfAws } = await connection.caller();
  if (timeOfAws === undefined) return clock;
  // Read after the answer, so that the time of asking does not count.
  const ahead = clock() - timeOfAws;
  return () => clock() - ahead;
}
