import { z } from 'zod';
import { mayShip } from './licences.ts';

const ranges = z.record(z.string(), z.string()).default({});
const locked = z.looseObject({
  dependencies: ranges,
  devDependencies: ranges,
  optionalDependencies: ranges,
  integrity: z.string().default(''),
  inBundle: z.boolean().default(false),
  bundleDependencies: z.array(z.string()).default([]),
  hasInstallScript: z.boolean().default(false),
  dev: z.boolean().default(false),
  license: z.string().optional(),
});
type Locked = z.output<typeof locked>;
const lockfile = z.object({ lockfileVersion: z.literal(3), packages: z.record(z.string(), locked) });
const project = z.object({
  allowScripts: z.record(z.string(), z.boolean()).default({}),
  devDependencies: ranges,
});

/** A range of the registry's versions, or one of another name there; no address, path or repository. */
const ofRegistry = /^(npm:(@[\w.-]+\/)?[\w.-]+@)?[^:/]*$/;

/**
 * Lists where a package-lock.json deviates from docs/concepts/security.md.
 *
 * @throws ZodError for what is no package.json or no lockfile of version 3
 */
export function lockfileProblems(packageJson: unknown, packageLock: unknown): string[] {
  const { allowScripts, devDependencies } = project.parse(packageJson);
  const { packages } = lockfile.parse(packageLock);
  const { '': _root, ...installed } = packages;
  /** Names of the packages whose scripts may run; npm may write a version behind them. */
  const approved = Object.keys(allowScripts)
    .filter((name) => allowScripts[name])
    .map((name) => name.replace(/(?<=.)@[^@]*$/, ''));

  function* problemsOf(path: string, found: Locked): Generator<string> {
    const name = nameOf(path);
    const holder = installed[path.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, '')];
    const isBundled =
      found.inBundle && holder !== undefined && (holder.inBundle || holder.bundleDependencies.length > 0);
    if (found.resolved !== undefined || found.link !== undefined) yield 'comes from an address of its own';
    if (!/^sha512-[\w+/]{86}==$/.test(found.integrity) && !isBundled) yield 'has no sha512 integrity';
    if (!found.dev && !mayShip(found.license))
      yield `ships under ${found.license ?? 'no licence'}, which tools/check/licences.ts does not allow`;
    // npm would install the other one there.
    const isAlias =
      path === `node_modules/${name}` && devDependencies[name]?.startsWith(`npm:${found.name}@`) === true;
    if (found.name !== undefined && found.name !== name && !isAlias) yield 'is another package';
    if (found.hasInstallScript && !approved.includes(name))
      yield 'runs a script when it is installed, and is not in allowScripts of package.json';
  }

  const problems = Object.entries(installed).flatMap(([path, found]) =>
    [...problemsOf(path, found)].map((problem) => `${path} ${problem}`),
  );
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'] as const) {
    for (const [path, { [kind]: wishes }] of Object.entries(packages))
      for (const [name, range] of Object.entries(wishes))
        if (!ofRegistry.test(range)) problems.push(`${path || 'the project'} wants ${name} from elsewhere`);
  }
  const withScripts = Object.keys(installed).filter((path) => installed[path]?.hasInstallScript);
  for (const name of approved)
    if (!withScripts.some((path) => nameOf(path) === name)) problems.push(`${name} needs no allowScripts`);
  return problems;
}

function nameOf(path: string): string {
  return path.replace(/^.*node_modules\//, '');
}
