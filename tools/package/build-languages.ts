/**
 * `npm run build:languages -- LANGUAGE... [--package FOLDER] [--out FOLDER] [--code-only]`: makes the packages of other languages from the built
 * package, in build/languages by default. Each holds the construct, and Node runs it there too.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { constructManifest } from './package-manifest.ts';

const root = resolve(import.meta.dirname, '../..');
const { values, positionals: languages } = parseArgs({
  allowPositionals: true,
  options: {
    package: { type: 'string', default: join(root, 'build/package') },
    out: { type: 'string', default: join(root, 'build/languages') },
    'code-only': { type: 'boolean', default: false },
  },
});
const known = ['python', 'java', 'dotnet', 'go'];
const unknown = languages.filter((language) => !known.includes(language));
if (languages.length === 0 || unknown.length > 0) {
  const found = languages.length === 0 ? 'none' : unknown.join(', ');
  console.error(`Languages: found ${found}, expected one or more of ${known.join(', ')}.`);
  process.exit(1);
}

/** What the construct reads at synthesis. The commands and the local run are in the npm package alone. */
const parts = [
  '.jsii',
  '.jsii.gz',
  'lib',
  'contract',
  'contract.json',
  'keywords.json',
  'README.md',
  'LICENSE',
  'THIRD-PARTY-LICENSES',
  'dist/functions.json.br',
  'dist/console',
];
const scratch = mkdtempSync(join(tmpdir(), 'sms-languages-'));
for (const part of parts) cpSync(join(values.package, part), join(scratch, part), { recursive: true });
const { version } = JSON.parse(readFileSync(join(values.package, 'package.json'), 'utf8'));
const project = { ...JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')), version };
writeFileSync(join(scratch, 'package.json'), JSON.stringify(constructManifest(project), null, 2));
symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'));
// The package of an older version has another name, and would stay.
for (const language of languages) rmSync(join(values.out, language), { recursive: true, force: true });
const pacmak = join(root, 'node_modules/jsii-pacmak/bin/jsii-pacmak');
const options = ['--targets', ...languages, '--outdir', resolve(values.out)];
execFileSync(
  process.execPath,
  [pacmak, ...options, ...(values['code-only'] ? ['--code-only'] : []), scratch],
  {
    stdio: 'inherit',
  },
);
rmSync(scratch, { recursive: true });
console.log(`The packages are in ${resolve(values.out)}.`);
