import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** They end what hangs, and judge no speed: another process may have the machine for minutes. In milliseconds. */
const timeouts = { testTimeout: 600_000, hookTimeout: 600_000 };

const fixedSeed = 'test/support/fixed-seed.ts';
const io = 'test/**/*.io.test.ts';

/** Begin before the others, so that none of them is alone in the end. */
const longest = ['faults', 'volume', 'pipeline', 'rotation'].map((name) => `test/local/${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((name) => moduleId.endsWith(name));
      return index === -1 ? longest.length : index;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

/** Projects run one group after another, the fast ones first. */
export default defineConfig({
  test: {
    // By default one core is left alone, which is half of two.
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/support/temporary-root.ts', fixedSeed],
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
      // Most of the time they wait for a queue, so three share two cores.
      {
        test: {
          name: 'local',
          include: ['test/local/**/*.test.ts'],
          globalSetup: ['test/support/count-starts.ts', 'test/support/shared-database.ts'],
          setupFiles: [fixedSeed],
          maxWorkers: 3,
          sequence: { groupOrder: 3 },
          ...timeouts,
        },
      },
    ],
    coverage: {
      provider: 'v8',
      reportOnFailure: true,
      include: ['{functions,contract,cli,client,lib,local}/**/*.ts'],
      exclude: [
        ...configDefaults.exclude,
        '**/*.d.ts',
        'client/generated/**',
        // They run in processes of the local run, of which the tests' own coverage knows nothing: test/local and the demo play them.
        'local/{start.ts,demo/**,gateway/gateway.ts,processes/reaper.ts}',
        'local/run/{deploy,run,shutdown,start-services}.ts',
        'local/**/{host,*-process}.ts',
      ],
      thresholds: {
        'functions/**': { lines: 95 },
        'contract/**': { lines: 95 },
        'cli/**': { lines: 85 },
        'client/**': { lines: 95 },
        'lib/**': { lines: 85 },
        'local/**': { lines: 85 },
      },
    },
  },
});
