import { setTimeout as delay } from 'node:timers/promises';
import type { LocalPipeline } from '../support/local-pipeline.ts';
import type { CommandOutcome } from '../support/sms-command.ts';
import { until } from '../support/until.ts';
import type { Sandbox } from './sandbox.ts';

/** One thing that happens to the secret while events come. */
export interface Incident {
  readonly atSecond: number;
  readonly kind: 'rotate' | 'rotate elsewhere' | 'rotate and kill setup';
  /** How long the service goes on signing with the old secret; 0: it switches instantly. */
  readonly oldSecretForSeconds: number;
}

export interface IncidentPorts {
  readonly pipeline: LocalPipeline;
  readonly sandbox: Sandbox;
  readonly sms: (...args: string[]) => Promise<CommandOutcome>;
  readonly say: (line: string) => void;
  /** Aborted when no more incidents are to begin. */
  readonly signal: AbortSignal;
}

/**
 * Lets the incidents happen, each at its time or when the one before is over.
 *
 * @returns when the secret was rotated elsewhere, milliseconds since the epoch
 */
export async function playIncidents(
  incidents: readonly Incident[],
  { pipeline, sandbox, sms, say, signal }: IncidentPorts,
): Promise<number[]> {
  const startedAt = Date.now();
  const elsewhereAt: number[] = [];
  for (const { atSecond, kind, oldSecretForSeconds } of incidents) {
    await delay(Math.max(0, startedAt + atSecond * 1000 - Date.now()), undefined, { signal });
    say(`  ${String(atSecond).padStart(3)} s  ${kind}, ${switching(oldSecretForSeconds)}`);
    const faults = { oldSecretForMs: oldSecretForSeconds * 1000 };
    await sandbox.setFaults(faults);
    if (kind === 'rotate elsewhere') {
      elsewhereAt.push(Date.now());
      await sandbox.rotateElsewhere();
    } else if (kind === 'rotate') {
      const { code, err } = await sms('webhook', 'rotate', '--force');
      if (code !== 0) throw new Error(`webhook rotate failed: ${err}`);
    } else {
      await sandbox.setFaults({ ...faults, answerDelayMs: 5_000 });
      const before = await sandbox.rotations();
      const rotating = sms('webhook', 'rotate', '--force');
      await until('the service has rotated', async () => (await sandbox.rotations()) > before || undefined);
      for (const pid of pipeline.processes('setup')) process.kill(pid, 'SIGKILL');
      if ((await rotating).code !== 1) throw new Error('webhook rotate survived its own end');
      await sandbox.setFaults(faults);
    }
  }
  return elsewhereAt;
}

function switching(seconds: number): string {
  return seconds === 0
    ? 'the service switches instantly'
    : `the service signs with the old secret for ${seconds} s more`;
}
