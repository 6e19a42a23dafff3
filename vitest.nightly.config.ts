import { defineConfig } from 'vitest/config';

/** Runs what proves in other words what one of the tests of `npm test` proves. */
export default defineConfig({
  test: {
    include: ['test/nightly/**/*.test.ts'],
    globalSetup: ['test/support/temporary-root.ts'],
    testTimeout: 600_000,
    fileParallelism: false,
  },
});
