/** `npm run build [-- --out FOLDER --version VERSION]`: makes the package that is published, in build/package by default. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build, type Metafile } from 'esbuild';
import { buildFunctions } from '../../lib/bundling/build-functions.ts';
import { shipFunctions } from '../../lib/bundling/shipped-functions.ts';
import { outputSchemas } from '../generate/cli-reference.ts';
import { buildCommands } from './build-commands.ts';
import { buildConstruct, bundleStandAlone } from './build-construct.ts';
import { buildPage } from './build-page.ts';
import { unlinkDeadLinks } from './links.ts';
import { constructManifest, packageManifest } from './package-manifest.ts';
import { thirdPartyLicences } from './third-party-licences.ts';

const root = resolve(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: { out: { type: 'string', default: join(root, 'build/package') }, version: { type: 'string' } },
});
const folder = resolve(values.out);
const read = (path: string) => JSON.parse(readFileSync(resolve(root, path), 'utf8'));

/** Names stay as they are, for stack traces and the metadata of constructs. */
const smaller = { minifyWhitespace: true, minifySyntax: true, legalComments: 'none' } as const;

/** Pages for those who change the code, and reports of measurements. */
const notShipped: ReadonlySet<string> = new Set(['docs/adr', 'docs/images', 'docs/contributing']);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const file of [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'contract.json',
  'keywords.json',
  'llms.txt',
  'schemas',
  'contract/presets',
  'contract/import-mappings',
  'docs',
])
  cpSync(join(root, file), join(folder, file), {
    recursive: true,
    filter: (path) => !notShipped.has(relative(root, path)),
  });
mkdirSync(join(folder, 'schemas/cli'));
for (const [path, schema] of Object.entries(outputSchemas()))
  writeFileSync(join(folder, path), JSON.stringify(schema));
// Programs read these.
for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
  if (/schemas?.*\.json$|openapi\.json$/.test(path))
    writeFileSync(join(folder, path), JSON.stringify(read(join(folder, path))));
unlinkDeadLinks(folder);

const dist = join(folder, 'dist');
const scratch = mkdtempSync(join(tmpdir(), 'sms-functions-'));
mkdirSync(dist);
shipFunctions(dist, await buildFunctions({ root, outdir: scratch }));
const functionsMetafile: Metafile = JSON.parse(readFileSync(join(scratch, 'meta.json'), 'utf8'));
rmSync(scratch, { recursive: true });

const pageFiles = await buildPage(root, join(dist, 'console'));

// The reader is a developer whose function imports the construct, and would have the CDK in its bundle.
const notForFunctions =
  'Import sms-event-pipeline/events in the code of a function: sms-event-pipeline itself is for CDK apps, and cannot be bundled.';
// A bundler prints the path of an import that it cannot resolve.
// A function without a bundle fails before it loads the CDK. A process that a function starts, such as a build's, has another path.
const refuseInLambda = `if (process.argv[1]?.startsWith('/var/runtime/')) throw new Error('${notForFunctions}');`;

const project = { ...read('package.json'), ...(values.version && { version: values.version }) };
const metafile = await buildConstruct(root, folder, constructManifest(project));
const entry = join(folder, 'lib/index.js');
writeFileSync(entry, `${refuseInLambda}\n${readFileSync(entry, 'utf8')}`);
writeFileSync(join(folder, 'lib/not-bundled.mjs'), `import '${notForFunctions}';\n`);
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageManifest(project), null, 2)}\n`);
const { metafile: standAloneMetafile } = await bundleStandAlone(root, join(dist, 'stand-alone.js'));

// The client has the signer of the SDK inside, so that an app installs none of it.
const { metafile: clientMetafile } = await build({
  absWorkingDir: root,
  entryPoints: ['client/index.ts'],
  outfile: join(dist, 'client.js'),
  bundle: true,
  ...smaller,
  platform: 'node',
  target: 'node22',
  format: 'cjs',
  mainFields: ['module', 'main'],
  metafile: true,
  logLevel: 'warning',
});
// No zod, no CDK and no SDK: a handler has it in its bundle.
await build({
  absWorkingDir: root,
  entryPoints: ['events/index.ts'],
  outfile: join(dist, 'events.js'),
  bundle: true,
  ...smaller,
  platform: 'node',
  target: 'node22',
  format: 'cjs',
  logLevel: 'warning',
});

const { metafile: commandsMetafile } = await buildCommands(root, join(dist, 'run'), project);
const metafiles = [functionsMetafile, metafile, standAloneMetafile, clientMetafile, commandsMetafile];
writeFileSync(join(folder, 'THIRD-PARTY-LICENSES'), thirdPartyLicences(root, metafiles, pageFiles));

const tsc = join(root, 'node_modules/typescript-native/bin/tsc');
const declarations = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--rootDir', root];
execFileSync(
  process.execPath,
  [tsc, '-p', join(root, 'tools/package/tsconfig.json'), ...declarations, '--outDir', join(dist, 'types')],
  { stdio: 'inherit' },
);
// The compiler writes the declarations of every module that it reads. Few of them belong to what the entries export.
const types = join(dist, 'types');
// A pipeline of the stand-alone app is one of the construct's class.
const app = join(types, 'lib/app/sms-pipeline-stack.d.ts');
writeFileSync(
  app,
  readFileSync(app, 'utf8').replace(/'\.\.\/(?:public|props)\/[\w-]+\.ts'/g, "'../../../../lib/index.js'"),
);
const reached = new Set<string>();
function reach(file: string): void {
  if (reached.has(file)) return;
  reached.add(file);
  const imports = readFileSync(file, 'utf8').matchAll(/(?:from |import\()'(\.[^']+)\.ts'/g);
  for (const [, path = ''] of imports) reach(resolve(file, '..', `${path}.d.ts`));
}
for (const entry of ['lib/app', 'client', 'events']) reach(join(types, entry, 'index.d.ts'));
for (const path of readdirSync(types, { recursive: true, encoding: 'utf8' }))
  if (path.endsWith('.d.ts') && !reached.has(join(types, path))) rmSync(join(types, path));
console.log(`The package is in ${folder}.`);
