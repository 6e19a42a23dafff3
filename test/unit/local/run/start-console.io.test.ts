import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { providePage, startConsole } from '../../../../local/run/start-console.ts';
import { until } from '../../../../tools/support/until.ts';

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
  const reportFill = await startConsole(
    { cliOptions: ['--dir', '/run'], folder, port: 4805, script, watch: (pid) => pids.push(pid) },
    { print: (line) => shown.push(line), note: (line) => shown.push(`note ${line}`) },
    { add: (step) => ends.push(step) },
  );
  return { shown, pids, reportFill };
}

describe('the console of a local run', () => {
  it('is the command sms console for this run, whose address is shown', async () => {
    const { shown, pids } = await started(
      "console.log('console', ...process.argv.slice(2)); setInterval(() => {}, 1000);",
    );
    expect(shown).toEqual(['console console --dir /run --port 4805']);
    expect(pids).toEqual([expect.any(Number)]);
  });

  it('gets to know how far the sample is', async () => {
    const file = join(folder, 'reported.json');
    const { reportFill } = await started(
      `import { writeFileSync } from 'node:fs';
       process.on('message', (message) => writeFileSync(${JSON.stringify(file)}, JSON.stringify(message)));
       console.log('console');`,
    );
    reportFill({ sent: 3, all: 10 });
    const text = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
    const reported = await until('the report is there', () => text() || undefined);
    expect(JSON.parse(reported)).toEqual({ sampleFill: { sent: 3, all: 10 } });
  });

  it('that cannot start ends nothing, and says why', async () => {
    const { shown } = await started("console.error('error: Port 4805 is taken.'); process.exitCode = 1;");
    expect(shown).toEqual(['note the console does not run: Port 4805 is taken.']);
  });

  it('builds its page where there is none, and says where it cannot', async () => {
    const shown: string[] = [];
    const progress = {
      step: (line: string) => void shown.push(line),
      note: (line: string) => void shown.push(`note ${line}`),
    };
    const failing = () => Promise.reject(new Error('vite is missing'));
    expect(await providePage(progress, folder, failing)).toBe(false);
    expect(shown).toEqual([expect.stringContaining('note the console does not run')]);
    const build = async () => {
      mkdirSync(join(folder, 'dist/console'), { recursive: true });
      writeFileSync(join(folder, 'dist/console/index.html'), '');
    };
    expect(await providePage(progress, folder, build)).toBe(true);
    expect(shown.slice(1)).toEqual(['page of the console built']);
    expect(await providePage(progress, folder, failing)).toBe(true);
    expect(shown).toHaveLength(2);
  });
});
