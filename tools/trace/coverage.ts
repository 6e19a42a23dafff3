import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The coverage of one script, as V8 reports it (Chrome DevTools protocol, "Profiler.ScriptCoverage"). */
export interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    /** The first range is the function as a whole; `count` is how often it was called. */
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
  }[];
}

/** A product file of which at least one function ran. */
export interface TracedFile {
  /** Relative to the project's folder. */
  readonly path: string;
  /** The named functions that ran, in the order of the source. */
  readonly functions: readonly TracedFunction[];
}

interface TracedFunction {
  readonly name: string;
  /** Where the function begins in its file: two functions of one file may share a name. */
  readonly offset: number;
}

/** The folders whose code runs in Lambda. */
const productFolders = /^(contract|functions)\//;

/**
 * Returns the product files that ran, the handler first and the others by path.
 *
 * Functions without a name count for their file only.
 *
 * @param root the project's folder
 */
export function tracedFiles(scripts: readonly ScriptCoverage[], root: string): TracedFile[] {
  return scripts
    .flatMap(({ url, functions }) => {
      if (!url.startsWith('file:')) return [];
      const path = relative(root, fileURLToPath(url)).replaceAll('\\', '/');
      if (!productFolders.test(path)) return [];
      const called = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0);
      if (called.length === 0) return [];
      const named = called
        .filter(({ functionName }) => functionName !== '')
        .map(({ functionName, ranges }) => ({ name: functionName, offset: ranges[0]?.startOffset ?? 0 }))
        .sort((a, b) => a.offset - b.offset);
      return [{ path, functions: named }];
    })
    .sort((a, b) => Number(isHandler(b.path)) - Number(isHandler(a.path)) || (a.path < b.path ? -1 : 1));
}

function isHandler(path: string): boolean {
  return path.endsWith('/handler.ts');
}

/** How many different files and named functions there are in these lists together. */
export function countTraced(lists: readonly (readonly TracedFile[])[]): { files: number; functions: number } {
  const files = lists.flat();
  const functions = files.flatMap((file) => file.functions.map(({ offset }) => `${file.path}:${offset}`));
  return { files: new Set(files.map(({ path }) => path)).size, functions: new Set(functions).size };
}
