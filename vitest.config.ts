import { configDefaults, defineConfig } from 'vitest/config';

/** They end what hangs, and judge no speed: another process may have the machine for minutes. In milliseconds. */
const timeouts = { testTimeout: 600_000, hookTimeout: 600_000 };

const fixedSeed = 'test/support/fixed-seed.ts';
const io = 'test/**/*.io.test.ts';

/** What needs the machine to itself. */
const underLoad = ['test/local/{pipeline,rotation,volume}.test.ts', 'test/local/queries/**/*.test.ts'];

/** Projects run one group after another, the fast ones first. */
export default defineConfig({
  test: {
    // By default one core is left alone, which is half of two.
    maxWorkers: '100%',
    globalSetup: [
      'test/support/temporary-root.ts',
      'test/support/count-starts.ts',
      'test/support/shared-database.ts',
      fixedSeed,
    ],
    // Only failed tests show what the code under test logs.
    silent: 'passed-only',
    projects: [
      // Not isolated: loading everything again for each file took longer than the tests.
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          exclude: [...configDefaults.exclude, io],
          isolate: false,
          setupFiles: [fixedSeed, 'test/support/no-io.ts'],
          sequence: { groupOrder: 0 },
          ...timeouts,
        },
      },
      {
        test: {
          name: 'io',
          include: ['test/unit/**/*.io.test.ts'],
          isolate: false,
          setupFiles: [fixedSeed],
          sequence: { groupOrder: 1 },
          ...timeouts,
        },
      },
      {
        test: {
          name: 'infra',
          include: ['test/infra/**/*.test.ts'],
          isolate: false,
          setupFiles: [fixedSeed],
          sequence: { groupOrder: 2 },
          ...timeouts,
        },
      },
      {
        test: {
          name: 'local',
          include: ['test/local/**/*.test.ts'],
          exclude: underLoad,
          setupFiles: [fixedSeed],
          sequence: { groupOrder: 3 },
          ...timeouts,
        },
      },
      {
        test: {
          name: 'load',
          include: underLoad,
          setupFiles: [fixedSeed],
          fileParallelism: false,
          sequence: { groupOrder: 4 },
          ...timeouts,
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['{functions,contract,cli,lib,local}/**/*.ts'],
      exclude: [...configDefaults.exclude, '**/*.d.ts'],
      thresholds: {
        'functions/**': { lines: 95 },
        'contract/**': { lines: 95 },
        'cli/**': { lines: 85 },
        'lib/**': { lines: 85 },
        'local/**': { lines: 85 },
      },
    },
  },
});
