import { setTimeout as delay } from 'node:timers/promises';
import type { Incident, IncidentContext } from '../../engine/incident.ts';
import { endProcess, type Run } from '../../engine/run.ts';
import { until } from '../../support/until.ts';

/** A machine on which one step takes longer is too slow. */
const stepDeadlineMs = 600_000;
const retryMs = 5_000;

/** @param oldSecretForSeconds the service signs with the old secret for this long after it; 0: it switches instantly */
export const rotate = (oldSecretForSeconds: number) =>
  rotation('rotate', oldSecretForSeconds, (run) => rotateOnce(run, () => forceRotation(run)));

/** The service rotates without the pipeline. */
export const rotateElsewhere = (oldSecretForSeconds: number) =>
  rotation('rotate elsewhere', oldSecretForSeconds, async (run) => {
    const before = await run.pipeline.webhookSecret();
    const rotatedAt = Date.now();
    await run.sandbox.rotateElsewhere();
    const isStored = async () => (await run.pipeline.webhookSecret()) !== before;
    await until('the secret that was rotated elsewhere is stored', isStored, stepDeadlineMs);
    run.rotationsElsewhere.push({ rotatedAt, storedBy: Date.now() });
  });

/** The run is killed after the service has rotated, and before it has read that. */
export const rotateAndKillSetup = (oldSecretForSeconds: number) =>
  rotation('rotate and kill setup', oldSecretForSeconds, async (run, faults) => {
    // The service answers neither the rotation nor later reads, so the run is alive when it is killed.
    const noAnswer = { ...faults, answerDelayMs: 60_000 };
    const noAnswers = { ...noAnswer, refuseReads: { status: 503, calls: 1_000 } };
    await rotateOnce(run, async () => {
      await run.sandbox.setFaults(noAnswer);
      const before = await run.sandbox.rotations();
      const state = { isOver: false };
      const rotating = forceRotation(run).finally(() => {
        state.isOver = true;
      });
      const hasRotated = async () => (await run.sandbox.rotations()) > before;
      await until(
        'the service has rotated',
        async () => state.isOver || (await hasRotated()),
        stepDeadlineMs,
      );
      await run.sandbox.setFaults(noAnswers);
      run.pipeline.processes('setup').forEach(endProcess);
      const outcome = await rotating;
      await run.sandbox.setFaults(faults);
      return outcome;
    });
  });

type SandboxFaults = Readonly<Record<string, unknown>>;

function rotation(
  name: string,
  seconds: number,
  play: (run: Run, faults: SandboxFaults) => Promise<void>,
): Incident {
  const switching = seconds === 0 ? 'instantly' : `after ${seconds} s`;
  return {
    name: `${name}, the service switches ${switching}`,
    async happen(run: Run, { signal }: IncidentContext) {
      // A forced rotation drops the secret before the current one. An event signed with it and still under way would be rejected, as documented.
      await until(
        'no event is on its way that is signed with an older secret',
        async () => signal.aborted || (await run.sandbox.signsWithNewestOnly()),
        stepDeadlineMs,
      );
      const before = await run.sandbox.rotations();
      const faults = { oldSecretForMs: seconds * 1000 };
      await run.sandbox.setFaults(faults);
      await play(run, faults);
      return (await run.sandbox.rotations()) - before;
    },
  };
}

function forceRotation(run: Run) {
  return run.sms('webhook', 'rotate', '--force', '--confirm');
}

/** Rotates until the service has rotated once and its secret is stored; retries if AWS or the service was too slow. */
async function rotateOnce(run: Run, rotateByForce: () => ReturnType<Run['sms']>): Promise<void> {
  const { sandbox, pipeline } = run;
  const rotations = await sandbox.rotations();
  const secret = await pipeline.webhookSecret();
  for (const deadline = Date.now() + stepDeadlineMs; ; await delay(retryMs)) {
    const { code, err } = await rotateByForce();
    if (code === 0 || (await sandbox.rotations()) > rotations) break;
    if (Date.now() > deadline) throw new Error(`webhook rotate failed: ${err}`);
    await run.reconcile();
    // The service may have rotated after the end of the run.
    if ((await sandbox.rotations()) > rotations) break;
  }
  await until(
    'the new secret is stored',
    async () => {
      if ((await pipeline.webhookSecret()) !== secret) return true;
      await run.reconcile();
      return false;
    },
    stepDeadlineMs,
  );
}
