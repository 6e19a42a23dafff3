import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { optionalPeers } from './package-manifest.ts';

/** The command line, and the modules that a local run starts as processes of their own. */
const entryPoints = [
  'bin/sms.ts',
  'local/function-hosts/host.ts',
  'local/gateway/gateway-process.ts',
  'local/processes/reaper-process.ts',
  'local/services/sqs/sqs-process.ts',
];

/** What the command line reads of the project's manifest. */
interface Project {
  readonly version: string;
  readonly dependencies: object;
  readonly devDependencies: object;
}

const withManifest = (root: string, { version, dependencies, devDependencies }: Project): Plugin => ({
  name: 'with-manifest',
  setup: ({ onLoad }) => {
    const contents = JSON.stringify({ version, dependencies, devDependencies });
    onLoad({ filter: /\/package\.json$/ }, ({ path }) =>
      path === join(root, 'package.json') ? { contents, loader: 'json' } : undefined,
    );
  },
});

/** Bundles the command line and the local run. Each entry point keeps its path, by which `moduleFile` finds it. */
export function buildCommands(root: string, outdir: string, project: Project) {
  return build({
    absWorkingDir: root,
    entryPoints,
    outdir,
    outbase: root,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'shared/[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    mainFields: ['module', 'main'],
    external: optionalPeers,
    plugins: [withManifest(realpathSync(root), project)],
    // Packages of CommonJS load the modules of Node with require.
    banner: {
      js: "import { createRequire as smsRequire } from 'node:module';\nconst require = smsRequire(import.meta.url);",
    },
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
}
