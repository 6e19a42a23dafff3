import { spawnSync } from 'node:child_process';
import { z } from 'zod';

// Compares what it takes to run and to synthesize with the registry's advisories: fails for one that is high or critical, and only warns
// where the registry has no such service, as mirrors do, or does not answer.
const report = z.object({ metadata: z.object({ vulnerabilities: z.record(z.string(), z.number()) }) });
/** npm has no status if the registry did not answer. */
const refusal = z.object({ message: z.string(), statusCode: z.int().optional() });
const args = ['audit', '--omit=dev', '--audit-level=high', '--package-lock-only'];

const { stdout, stderr, status } = spawnSync('npm', [...args, '--json'], { encoding: 'utf8' });
const answer = parsed(stdout);
const compared = report.safeParse(answer).data;
const refused = refusal.safeParse(answer).data;
if (compared !== undefined && status === 0)
  console.log(
    `No advisory of level high or above (of any level: ${compared.metadata.vulnerabilities.total ?? 0}).`,
  );
else if (compared !== undefined) {
  spawnSync('npm', args, { stdio: 'inherit' });
  process.exitCode = 1;
} else if (refused !== undefined && hasNoService(refused.statusCode))
  console.warn(
    `WARNING: nothing was compared with advisories, the registry has no such service or does not answer: ${refused.message}`,
  );
else {
  const said = refused?.message ?? (stderr.trim() || stdout.trim() || 'no output');
  console.error(`npm audit did not say what it found: ${said}`);
  process.exitCode = 1;
}

/** Any other refusal is of what was asked, or of who asked: it would stay so. */
function hasNoService(status: number | undefined): boolean {
  return status === undefined || status === 404 || status === 405 || status >= 500;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
