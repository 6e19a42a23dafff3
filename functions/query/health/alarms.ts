import type { RingingAlarm } from '../../base/alarms-client.ts';
import { failed, ok, type Verdict } from './verdict.ts';

/** Judges the alarms that are on. */
export function judgeAlarms(alarms: readonly Pick<RingingAlarm, 'name'>[]): Verdict {
  if (alarms.length === 0) return ok('no alarm is on');
  return failed(
    alarms.map(({ name }) => name).join('; '),
    'docs/operate/alarms.md has the steps of each alarm.',
  );
}
