import { parseArgs } from 'node:util';
import { unusedGrants } from '../../../local/iam/permission-file.ts';
import { insistOnExercise, runAllExercises, runExercise } from './run-exercises.ts';
import { startTestBed, type TestBed } from './test-bed.ts';
import { grantsOf, type Noticed, tryGrants } from './try-grants.ts';

const say = (line: string) => console.log(line);
/** Takes the grants of the functions away one by one: is each of them missed? @returns the exit code */
export async function playGrants(args: string[]): Promise<number> {
  parseArgs({ args });
  const startedAt = Date.now();
  await using bed = await startTestBed();
  const isProven = (await isFitWithAllGrants(bed)) && (await areAllMissed(bed));
  say(`${((Date.now() - startedAt) / 1000).toFixed(0)} s in all`);
  return isProven ? 0 : 1;
}

/** Returns whether every exercise passes, nothing is denied, and nothing is granted for no reason. */
async function isFitWithAllGrants(bed: TestBed): Promise<boolean> {
  const { permissions } = bed;
  const failures = await runAllExercises(bed);
  for (const [name, failure] of failures) say(`${name}: the exercise failed with all grants: ${failure}`);
  const report = await permissions.read();
  const denied = report.functions.flatMap(({ name, denied }) =>
    denied.map(({ action, resource }) => `${name} was denied ${action} on ${resource}`),
  );
  for (const line of denied) say(line);
  const unused = unusedGrants([report]);
  for (const { functionName, action, resource, because = 'UNEXPLAINED' } of unused)
    say(`${functionName}: ${action} on ${resource} was not used: ${because}`);
  const unexplained = unused.filter(({ because }) => because === undefined).length;
  say(
    `with all grants: ${failures.size} exercises failed, ${denied.length} permissions denied, ${unused.length} grants unused, ${unexplained} of them without an explanation`,
  );
  return failures.size + denied.length + unexplained === 0;
}

async function areAllMissed(bed: TestBed): Promise<boolean> {
  const { permissions } = bed;
  const verdicts = await tryGrants(
    {
      permissions,
      run: (name, signal) => runExercise(bed, name, signal),
      insist: (name, signal) => insistOnExercise(bed, name, signal),
      say,
    },
    grantsOf(await permissions.read()),
  );
  const countOf = (noticed: Noticed) => verdicts.filter((verdict) => verdict.noticed === noticed).length;
  const functions = new Set(verdicts.map(({ grant }) => grant.function));
  say(`${verdicts.length} grants of ${functions.size} functions`);
  for (const noticed of ['by Lambda', 'by a denied call', 'by its exercise alone'] as const)
    say(`missed ${noticed}: ${countOf(noticed)}`);
  for (const { grant, noticed } of verdicts)
    if (noticed === 'survived')
      say(`SURVIVED: ${grant.function} without ${grant.action} on ${grant.resource}`);
  return countOf('survived') === 0;
}
