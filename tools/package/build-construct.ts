import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuildOptions, type BuildResult, build, type Metafile, type Plugin } from 'esbuild';

/** Imports packages where the construct uses them, and not where only the functions do. */
const externalUnlessUnused: Plugin = {
  name: 'external-unless-unused',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || !/^(aws-cdk-lib|constructs)(\/|$)/.test(path)
        ? undefined
        : { path, external: true, sideEffects: false },
    );
  },
};

/** The folders that jsii compiles, into one. */
const publicFolders = ['lib/props', 'lib/public'];

/** An import of a public file from a file that is not public. */
const innerImport = /import (type )?\{([^}]*)\} from '\.\.\/((?!props\/)[^']+)';/g;

/**
 * Builds the construct and its props, `lib/public` and `lib/props`, with jsii. What it imports from elsewhere in the repository becomes one module beside it, `inner.js`, which jsii
 * does not read.
 *
 * @param folder of the package; receives `.jsii`, `.jsii.gz` and the folder `lib`
 * @param manifest of the package, with its section `jsii`
 */
export async function buildConstruct(root: string, folder: string, manifest: object): Promise<Metafile> {
  const scratch = mkdtempSync(join(tmpdir(), 'sms-construct-'));
  const sources = join(scratch, 'src');
  mkdirSync(sources);
  /** What is imported, and the file of what is a value. */
  const names = new Map<string, string | undefined>();
  const paths = publicFolders.flatMap((from) =>
    readdirSync(join(root, from)).map((file) => [from, file] as const),
  );
  for (const [from, file] of paths) {
    const text = readFileSync(join(root, from, file), 'utf8');
    const withInner = text.replace(innerImport, (_, type: string | undefined, list: string, path: string) => {
      for (const one of list.split(',').map((text) => text.trim())) {
        const isType = type !== undefined || one.startsWith('type ');
        const name = one.replace(/^type /, '').replace(/ as .*/, '');
        if (name === '' || (isType && names.has(name))) continue;
        const source = isType ? undefined : join(root, 'lib', path);
        const other = names.get(name) ?? source;
        if (source !== other) throw new Error(`${name} is in ${source} and in ${other}: rename one of them`);
        names.set(name, source);
      }
      return `import ${type ?? ''}{ ${list} } from './inner';`;
    });
    writeFileSync(
      join(sources, file),
      withInner.replace(/from '(?:\.|\.\.\/props)\/([\w-]+)\.ts'/g, "from './$1'"),
    );
  }
  const declarations = [...names.keys()].map(
    (name) => `export declare const ${name}: any;\nexport type ${name} = any;\n`,
  );
  const exported = [...names].flatMap(([name, path]) =>
    path === undefined ? [] : [`export { ${name} } from '${path}';`],
  );
  writeFileSync(join(sources, 'inner.d.ts'), declarations.join(''));

  writeFileSync(join(scratch, 'package.json'), JSON.stringify(manifest));
  for (const file of ['README.md', 'LICENSE']) cpSync(join(folder, file), join(scratch, file));
  symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'));
  const jsii = join(root, 'node_modules/jsii/bin/jsii');
  const options = ['--silence-warnings=reserved-word', '--compress-assembly'];
  execFileSync(process.execPath, [jsii, ...options], { cwd: scratch, stdio: 'inherit' });

  const { metafile } = await bundleConstruct(root, {
    stdin: { contents: exported.join('\n'), resolveDir: root },
    outfile: join(scratch, 'lib/inner.js'),
  });
  // The declarations of internal members name its types.
  cpSync(join(sources, 'inner.d.ts'), join(scratch, 'lib/inner.d.ts'));
  for (const file of ['.jsii', '.jsii.gz']) cpSync(join(scratch, file), join(folder, file));
  cpSync(join(scratch, 'lib'), join(folder, 'lib'), {
    recursive: true,
    filter: (path) => !path.endsWith('.tsbuildinfo'),
  });
  rmSync(scratch, { recursive: true });
  return metafile;
}

/** Imports the public classes from the built construct, of which the package has one copy. */
const publicFromConstruct: Plugin = {
  name: 'public-from-construct',
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/(?:public|props)\// }, () => ({ path: '../lib/index.js', external: true }));
  },
};

/** Bundles the stand-alone app for CommonJS: its settings, beside the construct. */
export function bundleStandAlone(root: string, outfile: string): Promise<BuildResult<{ metafile: true }>> {
  return bundleConstruct(root, { entryPoints: ['lib/app/index.ts'], outfile }, [publicFromConstruct]);
}

/** Bundles code for CommonJS, with everything but the CDK inside. */
function bundleConstruct(
  root: string,
  options: Pick<BuildOptions, 'entryPoints' | 'stdin' | 'outfile'>,
  plugins: readonly Plugin[] = [],
): Promise<BuildResult<{ metafile: true }>> {
  return build({
    ...options,
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    mainFields: ['module', 'main'],
    minifyWhitespace: true,
    // Node prints the line that threw an error.
    lineLimit: 160,
    plugins: [...plugins, externalUnlessUnused],
    define: { 'import.meta.dirname': '__dirname' },
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
}
