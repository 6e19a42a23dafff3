import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';

const module = new URL('../../../../tools/acceptance/while-deployed.ts', import.meta.url).href;

/** Deploys, or uses what is deployed, until a signal, and prints a line for each step. An interrupted deployment fails, as that of the CDK does, or still succeeds. */
const script = `
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { whileDeployed } from '${module}';
const say = (line) => console.log(line);
const deploy = async (signal) => {
  say('deploying');
  await delay(60_000, undefined, { signal }).catch(() => turn());
  if (signal.aborted && process.argv[1] === 'fails') throw new Error('interrupted');
};
const use = async () => {
  say('using');
  await delay(60_000);
};
const destroy = async () => {
  say('destroying');
  await turn();
  say('destroyed');
};
const parts = process.argv[1] === 'using' ? { deploy: async () => {}, use, destroy } : { deploy, use, destroy };
await whileDeployed(parts, say).catch((error) => say(error.message));
process.exit();
`;

async function interruptAt(line: string, argument: string): Promise<string[]> {
  const args = ['--input-type=module', '--eval', script, argument];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const lines: string[] = [];
  for await (const one of createInterface({ input: child.stdout })) {
    lines.push(one);
    if (one === line) child.kill('SIGINT');
  }
  await ended;
  return lines;
}

const destroyed = ['interrupted: the stacks are destroyed; wait for it', 'destroying', 'destroyed'];

describe('Ctrl-C destroys what a run has deployed', () => {
  it('while it is being deployed', async () => {
    expect(await interruptAt('deploying', 'fails')).toEqual(['deploying', ...destroyed, 'interrupted']);
  });

  it('while it is being deployed, if the deployment still succeeds', async () => {
    expect(await interruptAt('deploying', 'succeeds')).toEqual(['deploying', ...destroyed, 'interrupted']);
  });

  it('while it is used', async () => {
    expect(await interruptAt('using', 'using')).toEqual(['using', ...destroyed, 'interrupted']);
  });
});
