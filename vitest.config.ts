import { configDefaults, defineConfig } from 'vitest/config';

/** What needs the machine to itself. */
const underLoad = ['test/local/{pipeline,rotation,volume}.test.ts', 'test/local/queries/**/*.test.ts'];

/** They end what hangs, and judge no speed: another process may have the machine for minutes. In milliseconds. */
const timeouts = { testTimeout: 600_000, hookTimeout: 600_000 };

/** In each test file before its tests. */
const setupFiles = ['test/support/fixed-seed.ts'];

export default defineConfig({
  test: {
    // By default one core is left alone, which is half of two.
    maxWorkers: '100%',
    globalSetup: ['test/support/temporary-root.ts'],
    projects: [
      // Not isolated: loading everything again for each file took longer than the tests.
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          isolate: false,
          setupFiles,
          ...timeouts,
        },
      },
      {
        test: {
          name: 'infra',
          include: ['test/infra/**/*.test.ts'],
          setupFiles,
          ...timeouts,
        },
      },
      {
        test: {
          name: 'local',
          include: ['test/local/**/*.test.ts'],
          exclude: underLoad,
          setupFiles,
          ...timeouts,
        },
      },
      {
        test: {
          name: 'load',
          include: underLoad,
          setupFiles,
          ...timeouts,
          fileParallelism: false,
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['contract/**/*.ts', 'functions/**/*.ts', 'cli/personal-data/**/*.ts'],
      exclude: [...configDefaults.exclude, '**/*.d.ts'],
      thresholds: { lines: 95, branches: 95 },
    },
  },
});
