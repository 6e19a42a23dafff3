import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, resolve, sep } from 'node:path';
import { consolePageHeaders, pageFilePaths } from '../../../functions/query/index.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
};

export interface PageFile {
  readonly headers: Readonly<Record<string, string>>;
  readonly content: Uint8Array;
}

/**
 * Reads a file of the page. A path without a file is one of the page's own addresses, which the page reads itself.
 *
 * @param path of the URL, as received
 * @returns undefined for a missing asset
 */
export async function readPageFile(folder: string, path: string): Promise<PageFile | undefined> {
  const file = resolve(folder, pageFilePaths.test(path) ? `.${path}` : 'index.html');
  const type = types[extname(file)];
  if (type === undefined || !file.startsWith(resolve(folder) + sep) || !existsSync(file)) return undefined;
  // Names of assets hold a hash of their content.
  const caching = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
  return {
    headers: { ...consolePageHeaders, 'content-type': type, 'cache-control': caching },
    content: await readFile(file),
  };
}
