import { spawnSync } from 'node:child_process';
import { z } from 'zod';

// Compares what it takes to deploy and to run with the registry's advisories: fails for one that is high or critical, and only warns
// where the registry has none to compare with, as mirrors do, or does not answer.
const report = z.object({ metadata: z.object({ vulnerabilities: z.record(z.string(), z.number()) }) });
const refusal = z.object({ message: z.string() });
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
} else if (refused !== undefined)
  console.warn(
    `WARNING: nothing was compared with advisories, the registry has no such service or does not answer: ${refused.message}`,
  );
else {
  console.error(`npm audit did not say what it found: ${stderr.trim() || stdout.trim() || 'no output'}`);
  process.exitCode = 1;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
