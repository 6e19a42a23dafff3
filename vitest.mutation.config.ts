import { defineConfig } from 'vitest/config';

// What Stryker runs: the tests of the rules, in one project.
export default defineConfig({
  test: {
    include: ['test/unit/{contract,functions,lib,cli/personal-data}/**/*.test.ts'],
    setupFiles: ['test/support/fixed-seed.ts'],
  },
});
