import { mainSource } from '../../../contract/events/source-id.ts';
import { judgeDrift, mismatchesOf, type Verdict } from '../../../functions/query/index.ts';
import type { Connection } from '../../target/connection.ts';

const dayMs = 86_400_000;

/** Judges the events of today and yesterday of one source. @param now milliseconds since the epoch */
export async function judgeDriftOf(
  connection: Pick<Connection, 'drift'>,
  source: string | undefined,
  now: number,
): Promise<Verdict> {
  const days = [now, now - dayMs].map((time) => new Date(time).toISOString().slice(0, 10));
  const found = await (await connection.drift())(days);
  return judgeDrift(mismatchesOf(found, source ?? mainSource), 'today and yesterday');
}
