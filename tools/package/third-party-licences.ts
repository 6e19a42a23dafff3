import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { Metafile } from 'esbuild';
import { z } from 'zod';
import { mayShip } from '../check/licences.ts';

const packageManifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  author: z.object({ name: z.string() }).or(z.string()).optional(),
});

const permission = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish,
distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so`;
const condition =
  'The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.';
const disclaimer = `THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE
OR OTHER DEALINGS IN THE SOFTWARE.`;

/** What a package says that names its licence and has no file of it. */
const knownTexts: Readonly<Record<string, (copyright: string, root: string) => string>> = {
  'Apache-2.0': (_, root) => readFileSync(join(root, 'LICENSE'), 'utf8'),
  MIT: (copyright) =>
    [copyright, `${permission}, subject to the following conditions:`, condition, disclaimer].join('\n\n'),
  'MIT-0': (copyright) => [copyright, `${permission}.`, disclaimer].join('\n\n'),
};

/** Returns the files of packages whose code is in the bundles, below `root`. */
function bundledFiles(root: string, metafiles: readonly Metafile[], files: readonly string[]): string[] {
  const bundled = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? path : [])),
    ),
  );
  const paths = [...bundled, ...files.map((file) => relative(root, file))];
  return [...new Set(paths)].filter((path) => /\bnode_modules\//.test(path));
}

const foldersOf = (paths: readonly string[]) =>
  [...new Set(paths.flatMap((path) => /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []))].sort();

/** The comment by which the bundler of a package marks a file of another package that it holds. */
const inlinedFile = /^\/\/#region \S*\/node_modules\/\.pnpm\/[^/]+\/(node_modules\/(?:@[^/]+\/)?[^/]+)\//gm;

/** Returns the folders of the packages that bundled files hold a copy of. Installed copies may be of another version, with the same licence. */
function inlinedPackages(root: string, paths: readonly string[]): string[] {
  const found = paths.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(inlinedFile)].map(([, folder = '']) => folder),
  );
  return [...new Set(found)].sort();
}

/** Packages that are inlined and not installed. */
const notInstalled: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  'node_modules/content-type': {
    title: 'content-type 1.0.5 (MIT)',
    text: knownTexts.MIT?.('Copyright (c) 2015 Douglas Christopher Wilson', '') ?? '',
  },
};

/**
 * Returns the names, versions and licences of the packages whose code is in the bundles. Packages with the same text share it.
 *
 * @param files of the console's page
 * @throws Error for a package whose licence is not known or not allowed
 */
export function thirdPartyLicences(
  root: string,
  metafiles: readonly Metafile[],
  files: readonly string[],
): string {
  const paths = bundledFiles(root, metafiles, files);
  const folders = [...new Set([...foldersOf(paths), ...inlinedPackages(root, paths)])];
  const packages = folders.map((folder) => notInstalled[folder] ?? licenceOf(root, join(root, folder)));
  const byText = Map.groupBy(packages, ({ text }) => text);
  return [
    'This package contains code of the packages below. Each list of packages is followed by their licence.',
    ...[...byText].map(
      ([text, same]) => `${'-'.repeat(80)}\n${same.map(({ title }) => title).join('\n')}\n\n${text}`,
    ),
    '',
  ].join('\n\n');
}

function licenceOf(root: string, folder: string) {
  const { name, version, license, author } = packageManifest.parse(
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')),
  );
  if (!mayShip(license))
    throw new Error(
      `${name} is in a bundle and is ${license}, which tools/check/licences.ts does not allow.`,
    );
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  const readme = join(folder, 'README.md');
  const said = existsSync(readme) ? /Copyright \(c\).*/i.exec(readFileSync(readme, 'utf8'))?.[0] : undefined;
  const holder = (typeof author === 'string' ? author : author?.name) ?? name;
  const texts =
    files.length > 0
      ? files.sort().map((file) => readFileSync(join(folder, file), 'utf8'))
      : [knownTexts[license]?.((said ?? `Copyright ${holder}`).replaceAll(/\[(.*?)\]\(.*?\)/g, '$1'), root)];
  if (texts.includes(undefined))
    throw new Error(
      `${name} is ${license} and has no file of it in ${basename(dirname(folder))}: add the text in tools/package/third-party-licences.ts.`,
    );
  const text = texts.map((each) => each?.replaceAll('\r\n', '\n').trim()).join('\n\n');
  return { title: `${name} ${version} (${license})`, text };
}
