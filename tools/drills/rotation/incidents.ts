import { setTimeout as delay } from 'node:timers/promises';
import type { LocalPipeline } from '../../support/local-pipeline.ts';
import type { Sandbox } from '../../support/sandbox.ts';
import type { CommandOutcome } from '../../support/sms-command.ts';
import { until } from '../../support/until.ts';

/** A change of the secret while events are sent. */
export interface Incident {
  readonly atSecond: number;
  readonly kind: 'rotate' | 'rotate elsewhere' | 'rotate and kill setup';
  /** The service signs with the old secret for this long after a rotation; 0: it switches instantly. */
  readonly oldSecretForSeconds: number;
}

export interface IncidentPorts {
  readonly pipeline: LocalPipeline;
  readonly sandbox: Sandbox;
  readonly sms: (...args: string[]) => Promise<CommandOutcome>;
  readonly say: (line: string) => void;
  /** Aborted once no incident may begin. */
  readonly signal: AbortSignal;
}

/** A rotation that the pipeline did not make; milliseconds since the epoch. */
export interface RotationElsewhere {
  readonly rotatedAt: number;
  /** The pipeline had stored the secret by then. */
  readonly storedBy: number;
}

/** A machine on which one step takes longer is too slow for the drill. */
const stepDeadlineMs = 600_000;
const retryMs = 5_000;

/** Plays each incident at its time, or once the one before is over. @returns the rotations elsewhere */
export async function playIncidents(
  incidents: readonly Incident[],
  ports: IncidentPorts,
): Promise<RotationElsewhere[]> {
  const { pipeline, sandbox, say, signal } = ports;
  const startedAt = Date.now();
  const elsewhere: RotationElsewhere[] = [];
  for (const { atSecond, kind, oldSecretForSeconds } of incidents) {
    await delay(Math.max(0, startedAt + atSecond * 1000 - Date.now()), undefined, { signal });
    // A forced rotation drops the secret before the current one. An event signed with it and still under way would be rejected, as documented.
    await until(
      'no event is on its way that is signed with an older secret',
      async () => signal.aborted || (await sandbox.signsWithNewestOnly()),
      stepDeadlineMs,
    );
    say(`  ${String(atSecond).padStart(3)} s  ${kind}, ${switching(oldSecretForSeconds)}`);
    const faults = { oldSecretForMs: oldSecretForSeconds * 1000 };
    await sandbox.setFaults(faults);
    if (kind === 'rotate elsewhere') {
      const before = await pipeline.webhookSecret();
      const rotatedAt = Date.now();
      await sandbox.rotateElsewhere();
      await until(
        'the secret that was rotated elsewhere is stored',
        async () => (await pipeline.webhookSecret()) !== before,
        stepDeadlineMs,
      );
      elsewhere.push({ rotatedAt, storedBy: Date.now() });
    } else if (kind === 'rotate') await rotateOnce(ports);
    else {
      // The service answers neither the rotation nor later reads, so the run is alive when it is killed.
      const noAnswer = { ...faults, answerDelayMs: 60_000 };
      const noAnswers = { ...noAnswer, refuseReads: { status: 503, calls: 1_000 } };
      await rotateOnce(ports, async () => {
        await sandbox.setFaults(noAnswer);
        const before = await sandbox.rotations();
        const state = { isOver: false };
        const rotating = ports.sms('webhook', 'rotate', '--force').finally(() => {
          state.isOver = true;
        });
        const hasRotated = async () => (await sandbox.rotations()) > before;
        await until(
          'the service has rotated',
          async () => state.isOver || (await hasRotated()),
          stepDeadlineMs,
        );
        await sandbox.setFaults(noAnswers);
        for (const pid of pipeline.processes('setup')) process.kill(pid, 'SIGKILL');
        const outcome = await rotating;
        await sandbox.setFaults(faults);
        return outcome;
      });
    }
  }
  return elsewhere;
}

/** Rotates until the service has rotated once and its secret is stored; retries if AWS or the service was too slow. */
async function rotateOnce(
  { pipeline, sandbox, sms, say }: IncidentPorts,
  rotate = () => sms('webhook', 'rotate', '--force'),
): Promise<void> {
  const rotations = await sandbox.rotations();
  const secret = await pipeline.webhookSecret();
  for (const deadline = Date.now() + stepDeadlineMs; ; await delay(retryMs)) {
    const { code, err } = await rotate();
    if (code === 0 || (await sandbox.rotations()) > rotations) break;
    if (Date.now() > deadline) throw new Error(`webhook rotate failed: ${err}`);
    say(`         not rotated yet: ${err.trim()}`);
    await sms('webhook', 'reconcile');
    // The service may have rotated after the end of the run.
    if ((await sandbox.rotations()) > rotations) break;
  }
  await until(
    'the new secret is stored',
    async () => {
      if ((await pipeline.webhookSecret()) !== secret) return true;
      await sms('webhook', 'reconcile');
      return false;
    },
    stepDeadlineMs,
  );
}

function switching(seconds: number): string {
  return seconds === 0
    ? 'the service switches instantly'
    : `the service signs with the old secret for ${seconds} s more`;
}
