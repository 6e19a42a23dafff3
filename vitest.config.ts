import { configDefaults, defineConfig } from 'vitest/config';

/** What needs the machine to itself. */
const underLoad = ['test/local/{pipeline,rotation,volume}.test.ts', 'test/local/questions/**/*.test.ts'];

export default defineConfig({
  test: {
    // By default one core is left alone, which is half of two.
    maxWorkers: '100%',
    globalSetup: ['test/support/temporary-root.ts'],
    projects: [
      // Not isolated: loading everything anew for each file took longer than the tests.
      { test: { name: 'unit', include: ['test/unit/**/*.test.ts'], isolate: false, testTimeout: 60_000 } },
      {
        test: {
          name: 'infra',
          include: ['test/infra/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'local',
          include: ['test/local/**/*.test.ts'],
          exclude: underLoad,
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'load',
          include: underLoad,
          testTimeout: 300_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['functions/**/*.ts'],
      exclude: [...configDefaults.exclude, '**/*.d.ts'],
      thresholds: { lines: 95, branches: 95 },
    },
  },
});
