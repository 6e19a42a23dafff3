import { join } from 'node:path';
import { defineConfig } from 'vite';

/** Builds the console's page. The page loads files of its own origin only, and none of its code or styles is inline. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  build: {
    outDir: join(import.meta.dirname, '../build/console'),
    emptyOutDir: true,
    target: ['chrome123', 'firefox121', 'safari17.5'],
    // An inlined file would be a data URL, which the Content Security Policy does not allow.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      onLog: (level, log, report) => {
        // Libraries mark components for servers, of which there are none here.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
});
