/** `npm run iam-mutation`: is each permission of each function needed? Takes them away one by one; exit code 0 if each is missed. */
import { unusedGrants } from '../../../local/iam/permission-file.ts';
import { renderTable } from '../../support/table.ts';
import { type RunningBench, startBench } from './bench.ts';
import { grantsOf } from './rounds.ts';
import { insistOnExercise, runAllExercises, runExercise } from './run-exercises.ts';
import { type GrantVerdict, type Noticed, tryGrants } from './try-grants.ts';

const say = (line: string) => console.log(line);
const startedAt = Date.now();

const bench = await startBench();
try {
  process.exitCode = (await isFitWithAllGrants(bench)) && (await areAllMissed(bench)) ? 0 : 1;
} finally {
  await bench.stop();
}
say(`${((Date.now() - startedAt) / 1000).toFixed(0)} s in all`);

/** Returns whether every exercise passes, nothing is denied, and nothing is granted for no reason. */
async function isFitWithAllGrants({ permissions, ...others }: RunningBench): Promise<boolean> {
  const failures = await runAllExercises({ permissions, ...others });
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

async function areAllMissed(bench: RunningBench): Promise<boolean> {
  const { permissions } = bench;
  const verdicts = await tryGrants(
    {
      permissions,
      run: (name, signal) => runExercise(bench, name, signal),
      insist: (name, signal) => insistOnExercise(bench, name, signal),
      say,
    },
    grantsOf(await permissions.read()),
  );
  const byFunction = [...Map.groupBy(verdicts, ({ grant }) => grant.function)];
  const head = ['function', 'grants', 'missed', 'survived', 'seconds'];
  say(`\n${renderTable([head, ...byFunction.map(rowOf), rowOf(['all', verdicts])])}`);
  for (const noticed of ['by Lambda', 'by a denied call', 'by its exercise alone'] as const)
    say(`missed ${noticed}: ${countOf(verdicts, noticed)}`);
  for (const { grant, noticed } of verdicts)
    if (noticed === 'survived')
      say(`SURVIVED: ${grant.function} without ${grant.action} on ${grant.resource}`);
  return countOf(verdicts, 'survived') === 0;
}

function rowOf([name, verdicts]: readonly [string, readonly GrantVerdict[]]): string[] {
  const survived = countOf(verdicts, 'survived');
  const seconds = verdicts.reduce((sum, verdict) => sum + verdict.seconds, 0);
  const counts = [verdicts.length, verdicts.length - survived, survived];
  return [name, ...counts.map(String), seconds.toFixed(1)];
}

function countOf(verdicts: readonly GrantVerdict[], noticed: Noticed): number {
  return verdicts.filter((verdict) => verdict.noticed === noticed).length;
}
