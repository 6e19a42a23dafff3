import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;

/** Installs the libraries of providers, unless they are there in the versions of the lockfile. Their install scripts do not run. */
export default function installPackages(): void {
  const installed = join(folder, 'node_modules/.package-lock.json');
  if (existsSync(installed) && isSame(join(folder, 'package-lock.json'), installed)) return;
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: 'inherit',
  });
}

function isSame(lockfile: string, installed: string): boolean {
  const versionsIn = (path: string) => {
    const { packages }: { packages: Record<string, { version?: string }> } = JSON.parse(
      readFileSync(path, 'utf8'),
    );
    return Object.entries(packages).flatMap(([name, { version }]) =>
      name === '' ? [] : [`${name} ${version}`],
    );
  };
  const there = new Set(versionsIn(installed));
  return versionsIn(lockfile).every((one) => there.has(one));
}
