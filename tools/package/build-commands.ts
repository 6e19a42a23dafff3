import { type BuildResult, build, type Plugin } from 'esbuild';
import { optionalPeers } from './package-manifest.ts';

/** The command line, and the modules that a local run starts as processes of their own. */
const entryPoints = [
  'bin/sms.ts',
  'local/function-hosts/host.ts',
  'local/gateway/gateway-process.ts',
  'local/processes/reaper-process.ts',
  'local/services/sqs/sqs-process.ts',
];

/** Leaves out the messages of zod in other languages: `import { z }` brings them all. */
const englishOnly: Plugin = {
  name: 'english-only',
  setup: ({ onLoad }) => {
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
      loader: 'js',
    }));
  },
};

/** Bundles the command line and the local run. Each entry point keeps its path, by which `moduleFile` finds it. */
export function buildCommands(root: string, outdir: string): Promise<BuildResult> {
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
    plugins: [englishOnly],
    // Packages of CommonJS load the modules of Node with require.
    banner: {
      js: "import { createRequire as smsRequire } from 'node:module';\nconst require = smsRequire(import.meta.url);",
    },
    legalComments: 'none',
    logLevel: 'warning',
  });
}
