import { parseArgs } from 'node:util';
import type { Entry } from '../../engine/ledger.ts';
import { printVerdict } from '../../engine/print.ts';
import type { Outcome } from '../../engine/scenario.ts';
import { renderTable } from '../../support/table.ts';
import { fullPlan, rotationPass } from './rotation-scenario.ts';

const rows: readonly (readonly [string, (outcome: Outcome) => string | number])[] = [
  ['genuine events sent', ({ run }) => run.ledger.reports.size],
  ['sending took, s', ({ sendingSeconds }) => sendingSeconds.toFixed(1)],
  ['acknowledged', ({ run }) => run.ledger.acknowledged],
  ['not acknowledged: 5xx or no answer', ({ run }) => unacknowledged(run, 'unknown').length],
  ['rejected', ({ run }) => unacknowledged(run, 'rejected').length],
  ['last of these after the rotation elsewhere, s', lastRejection],
  ['forged requests sent', ({ run }) => run.ledger.forged.size],
  ['answered 401', ({ run }) => run.ledger.forgedAnswers.get(401) ?? 0],
  ['parked, then rejected into quarantine', ({ evidence }) => evidence.found.quarantine.size],
  ['rotations of the service', ({ rotations }) => rotations],
  ['until nothing was parked any more, s', ({ quietAfterSeconds }) => quietAfterSeconds.toFixed(0)],
];

function unacknowledged({ ledger }: Outcome['run'], answer: Entry['answer']): Entry[] {
  return [...ledger.reports.values()].filter((entry) => entry.answer === answer);
}

function lastRejection({ run }: Outcome): string {
  const times = unacknowledged(run, 'rejected').flatMap(({ postedAt }) => {
    const before = run.rotationsElsewhere.findLast(({ rotatedAt }) => rotatedAt <= postedAt);
    return before === undefined ? [] : [postedAt - before.rotatedAt];
  });
  return times.length === 0 ? '-' : (Math.max(...times) / 1000).toFixed(1);
}

/** Rotates the secret under load: does the promise of docs/concepts/rotation.md hold? @returns the exit code */
export async function playRotation(args: string[]): Promise<number> {
  parseArgs({ args });
  const outcomes: Outcome[] = [];
  const { genuinePerSecond, forgedPerSecond } = fullPlan;
  for (const park of ['rotating', 'always'] as const) {
    console.log(
      `parkUnverified: ${park}. ${genuinePerSecond} genuine and ${forgedPerSecond} forged events a second`,
    );
    outcomes.push(await rotationPass({ ...fullPlan, park }, console.log));
  }
  const table = rows.map(([name, show]) => [name, ...outcomes.map((outcome) => String(show(outcome)))]);
  console.log(renderTable([['parkUnverified', 'rotating', 'always'], ...table]));
  return printVerdict(outcomes.flatMap(({ broken }) => broken));
}
