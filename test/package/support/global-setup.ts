import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { packPackage } from '../../support/packed-package.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The path of the packed package. */
    tarball: string;
    /** The folder that it was packed from. */
    packageFolder: string;
  }
}

/** Builds and packs the package, once for all files. */
export default async function prepare({ provide }: TestProject): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'package-'));
  const { path } = await packPackage(folder);
  provide('tarball', path);
  provide('packageFolder', join(folder, 'package'));
}
