import { defineConfig } from 'vitest/config';

/** Runs the console's page in Chromium: `npm run test:console`. It is not part of `npm test`, which needs no browser. */
export default defineConfig({
  test: {
    include: ['test/console/**/*.test.ts'],
    globalSetup: ['test/console/support/global-setup.ts'],
    // They end what hangs, and judge no speed. In milliseconds.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    maxWorkers: 2,
    silent: 'passed-only',
  },
});
