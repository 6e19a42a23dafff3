import { expect, it } from 'vitest';
import { readCloudAssembly } from '../../../local/cloudformation/cloud-assembly.ts';
import { readAlarms } from '../../../tools/drills/alarms/alarms.ts';
import { drillSettings, groups } from '../../../tools/drills/alarms/drill-plan.ts';
import { assemblyFor } from '../support/built-app.ts';

it('the alarm drill has each alarm, except those of exports, in exactly one scenario', () => {
  const { assembly } = assemblyFor(drillSettings('https://receiver.example/hook'));
  const alarms = readAlarms(readCloudAssembly(assembly.directory)).map(({ id }) => id);
  const inScenarios = groups.flat(2).flatMap((scenario) => scenario.alarms);
  expect(inScenarios.toSorted()).toEqual(alarms.toSorted());
  expect(alarms.length).toBeGreaterThan(0);
});
