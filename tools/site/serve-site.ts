import { resolve } from 'node:path';
import { type PreviewServer, preview } from 'vite';

/** Where `npm run site` builds the site. */
export const siteFolder = resolve(import.meta.dirname, '../../build/site');

/** Serves the site to this machine only, on Vite's port for previews or the next free one. */
export function serveSite(): Promise<PreviewServer> {
  return preview({
    configFile: false,
    appType: 'mpa',
    build: { outDir: siteFolder },
    preview: { host: '127.0.0.1' },
  });
}
