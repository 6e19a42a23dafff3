import { expect, it } from 'vitest';
import { readCloudAssembly } from '../../../local/cloudformation/cloud-assembly.ts';
import { readAlarms } from '../../../tools/drills/alarms/alarms.ts';
import { drillSettings, groups } from '../../../tools/drills/alarms/drill-plan.ts';
import { assemblyFor } from '../support/built-app.ts';

it('the alarm drill has each alarm, except those of exports, in a scenario, and a composite one with a member', () => {
  const { assembly } = assemblyFor(drillSettings('https://receiver.example/hook'));
  const alarms = readAlarms(readCloudAssembly(assembly.directory));
  const scenarios = groups.flat(2).map((scenario) => scenario.alarms);
  expect([...new Set(scenarios.flat())].sort()).toEqual(alarms.map(({ id }) => id).sort());
  const composite = alarms.filter(({ members }) => members.length > 0);
  expect(composite).toHaveLength(2);
  for (const { id, members } of composite)
    for (const played of scenarios.filter((ids) => ids.includes(id)))
      expect(played.filter((one) => members.includes(one))).not.toEqual([]);
});
