import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** They end what hangs, and judge no speed: another process may have the machine for minutes. In milliseconds. */
const timeouts = { testTimeout: 600_000, hookTimeout: 600_000 };

const temporaryRoot = 'test/support/temporary-root.ts';
const fixedSeed = 'test/support/fixed-seed.ts';
const io = 'test/**/*.io.test.ts';

/** These take the longest, or start a pipeline, and mostly wait. They begin first, so that none of them runs alone in the end. */
const longest = [
  'test/local/pipeline.test.ts',
  'test/console/sign-in.test.ts',
  'test/console/accessibility.test.ts',
];

const inChromium = {
  isolate: false,
  globalSetup: ['test/console/support/global-setup.ts'],
  expect: { poll: { timeout: 60_000 } },
  ...timeouts,
};

/** A worker that is not isolated ends where the next file is of another project, so each project's files follow one another. */
const projects = [
  'unit',
  'infra',
  'io',
  'local',
  'conformance',
  'console',
  'console-nightly',
  'nightly',
  'package',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      const index = longest.findIndex((name) => moduleId.endsWith(name));
      return index === -1 ? longest.length + projects.indexOf(project.name) : index;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

/** `npm test` runs the first five projects, `npm run test:console` the console's, and `npm run nightly` the others. */
export default defineConfig({
  test: {
    // The tests of `local` and `console` wait for queues and pages most of the time. Those of the other projects use the cores meanwhile.
    maxWorkers: Math.min(availableParallelism() + 1, 8),
    sequence: { sequencer: LongestFirst },
    globalSetup: [temporaryRoot, fixedSeed],
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
          ...timeouts,
        },
      },
      {
        test: {
          name: 'io',
          include: ['test/unit/**/*.io.test.ts'],
          isolate: false,
          setupFiles: [fixedSeed],
          ...timeouts,
        },
      },
      {
        test: {
          name: 'infra',
          include: ['test/infra/**/*.test.ts'],
          isolate: false,
          setupFiles: [fixedSeed],
          ...timeouts,
        },
      },
      {
        test: {
          name: 'local',
          // Not isolated, as above.
          isolate: false,
          include: ['test/promises/**/*.test.ts', 'test/field/**/*.test.ts', 'test/local/**/*.test.ts'],
          globalSetup: [
            'test/support/count-starts.ts',
            'test/support/shared-database.ts',
            'test/support/boto3.ts',
          ],
          setupFiles: [fixedSeed],
          ...timeouts,
        },
      },
      // The libraries of providers, which are packages of their own.
      {
        test: {
          name: 'conformance',
          include: ['test/conformance/*.test.ts'],
          globalSetup: ['test/conformance/install-packages.ts'],
          setupFiles: [fixedSeed, 'test/conformance/await-packages.ts'],
          ...timeouts,
        },
      },
      // The console's page in Chromium.
      { test: { name: 'console', include: ['test/console/*.test.ts'], ...inChromium } },
      // Lists, searches and figures, tasks of users from beginning to end, a whole pipeline, its deployed console, outages, and what is displayed where.
      { test: { name: 'console-nightly', include: ['test/console/nightly/*.test.ts'], ...inChromium } },
      // What is slow and rarely fails, or proves in other words what one of the tests of `npm test` proves.
      {
        test: {
          name: 'nightly',
          include: ['test/nightly/**/*.test.ts'],
          ...timeouts,
        },
      },
      // The packed package with other versions of the CDK and of TypeScript, in other languages, and by linters of packages.
      {
        test: {
          name: 'package',
          include: ['test/package/**/*.test.ts'],
          globalSetup: ['test/package/support/global-setup.ts'],
          ...timeouts,
        },
      },
    ],
    coverage: {
      provider: 'v8',
      reportOnFailure: true,
      include: ['{functions,contract,cli,client,events,lib,local}/**/*.ts'],
      exclude: [
        ...configDefaults.exclude,
        '**/*.d.ts',
        // They run in processes of the local run, of which the tests' own coverage knows nothing: test/local, test/promises and the demo play them.
        'local/{start.ts,demo/**,gateway/gateway.ts,processes/reaper.ts}',
        'local/run/{deploy,run,shutdown,start-services}.ts',
        'local/**/{host,*-process}.ts',
      ],
      thresholds: {
        'functions/**': { lines: 95 },
        'contract/**': { lines: 95 },
        'cli/**': { lines: 85 },
        'client/**': { lines: 95 },
        'events/**': { lines: 95 },
        'lib/**': { lines: 85 },
        'local/**': { lines: 85 },
      },
    },
  },
});
