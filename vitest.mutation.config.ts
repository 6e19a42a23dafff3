import { defineConfig } from 'vitest/config';

// What Stryker runs: the tests of the contract and of the functions, in one project.
export default defineConfig({
  test: {
    include: ['test/unit/{contract,functions}/**/*.test.ts'],
    setupFiles: ['test/support/fixed-seed.ts'],
  },
});
