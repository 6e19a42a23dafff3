import { defineConfig } from 'vitest/config';

// What Stryker runs: the tests of functions/core, in one project.
export default defineConfig({
  test: { include: ['test/unit/core/**/*.test.ts'], setupFiles: ['test/support/fixed-seed.ts'] },
});
