import { execFileSync, spawnSync } from 'node:child_process';
import { delimiter, join, resolve } from 'node:path';

const folder = resolve(import.meta.dirname, '../../.local/python');
const hasBoto3 = (python: string) => spawnSync(python, ['-c', 'import boto3']).status === 0;

/** Lets `python3` have boto3, for the examples in Python: the machine's, or one of this repository's own, which is installed once. */
export default function prepare(): void {
  if (hasBoto3('python3')) return;
  const bin = join(folder, 'bin');
  if (!hasBoto3(join(bin, 'python3'))) {
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-compile', 'boto3'];
    execFileSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' });
    execFileSync(join(bin, 'python3'), pip, { stdio: 'inherit' });
  }
  process.env.PATH = [bin, process.env.PATH].join(delimiter);
}
