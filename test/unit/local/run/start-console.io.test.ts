import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isConsoleBuilt, startConsole } from '../../../../local/run/start-console.ts';

const folder = mkdtempSync(join(tmpdir(), 'sms-console-'));

async function started(program: string) {
  const script = join(folder, 'sms.mjs');
  writeFileSync(script, program);
  const shown: string[] = [];
  const ends: (() => unknown)[] = [];
  const pids: number[] = [];
  onTestFinished(() => {
    for (const end of ends) end();
  });
  await startConsole(
    { cliOptions: ['--dir', '/run'], folder, port: 4805, script, watch: (pid) => pids.push(pid) },
    { print: (line) => shown.push(line), note: (line) => shown.push(`note ${line}`) },
    { add: (step) => ends.push(step) },
  );
  return { shown, pids };
}

describe('the console of a local run', () => {
  it('is the command sms console for this run, whose address is shown', async () => {
    const { shown, pids } = await started(
      "console.log('console', ...process.argv.slice(2)); setInterval(() => {}, 1000);",
    );
    expect(shown).toEqual(['console console --dir /run --port 4805']);
    expect(pids).toEqual([expect.any(Number)]);
  });

  it('that cannot start ends nothing, and says why', async () => {
    const { shown } = await started("console.error('error: Port 4805 is taken.'); process.exitCode = 1;");
    expect(shown).toEqual(['note the console does not run: Port 4805 is taken.']);
  });

  it('is started only where its page is built', () => {
    expect(isConsoleBuilt(folder)).toBe(false);
    mkdirSync(join(folder, 'dist/console'), { recursive: true });
    writeFileSync(join(folder, 'dist/console/index.html'), '');
    expect(isConsoleBuilt(folder)).toBe(true);
  });
});
