import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type typescript from 'typescript';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

/** The packed package. */
export interface Tarball {
  readonly path: string;
  /** The paths of the files in it. */
  readonly files: readonly string[];
}

/** Builds the package in the folder `package` below a folder, and packs it beside that. */
export async function packPackage(folder: string): Promise<Tarball> {
  const out = join(folder, 'package');
  await run(process.execPath, ['tools/package/build-package.ts', '--out', out], { cwd: root });
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: out });
  const [{ filename, files }] = JSON.parse(stdout);
  return { path: join(folder, filename), files: files.map(({ path }: { path: string }) => path) };
}

/** Makes an app in a new folder, and installs packages there. Each is a tarball, or a name with its version. */
export async function install(cwd: string, packages: readonly string[]): Promise<void> {
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, 'package.json'), '{ "name": "shop", "private": true }');
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...options, ...packages], { cwd });
}

/** Returns what a compiler finds in files of an app and in the types of the package, and not what it finds in those of other packages. */
export function typeErrors(
  ts: typeof typescript,
  cwd: string,
  files: readonly string[],
  compilerOptions: object,
): string {
  const { fileNames, options, errors } = ts.parseJsonConfigFileContent(
    { compilerOptions, files },
    ts.sys,
    cwd,
  );
  const program = ts.createProgram(fileNames, options);
  const checked = program
    .getSourceFiles()
    .filter(({ fileName }) => !/node_modules(?!\/sms-event-pipeline\/)/.test(fileName));
  const found = checked.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ]);
  return ts.formatDiagnostics([...errors, ...program.getOptionsDiagnostics(), ...found], {
    getCurrentDirectory: () => cwd,
    getCanonicalFileName: (name) => name,
    getNewLine: () => '\n',
  });
}
