import { configDefaults, defineConfig } from 'vitest/config';

// What Stryker runs: the tests of the rules, in one project, which is all that Stryker knows of, set up as `npm test` sets them up.
// Tests with a port or a process stay out: where the machine is slow they fail, and that would count as a mutant that was noticed.
export default defineConfig({
  test: {
    include: ['test/unit/{contract,functions,lib,cli/personal-data}/**/*.test.ts'],
    // A mutated file calls functions that count as calls of the rules.
    exclude: [...configDefaults.exclude, 'test/**/*.io.test.ts', 'test/**/rejection-cost.test.ts'],
    setupFiles: ['test/support/fixed-seed.ts', 'test/support/no-io.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
