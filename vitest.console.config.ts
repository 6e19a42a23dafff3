import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** They wait for the pipeline, which starts while the others run. */
const longest = ['local', 'deployed', 'accessibility'].map((name) => `test/console/${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((name) => moduleId.endsWith(name));
      return index === -1 ? longest.length : index;
    };
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}

/** They end what hangs, and judge no speed: another process may have the machine for minutes. In milliseconds. */
const timeout = 600_000;

/** Runs the console's page in Chromium: `npm run test:console`. It is not part of `npm test`, which needs no browser. */
export default defineConfig({
  test: {
    include: ['test/console/**/*.test.ts'],
    globalSetup: ['test/support/temporary-root.ts', 'test/console/support/global-setup.ts'],
    testTimeout: timeout,
    hookTimeout: timeout,
    expect: { poll: { timeout: 60_000 } },
    // Loading playwright again for each file took longer than some of the tests.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Two of them wait for the pipeline most of the time.
    maxWorkers: 4,
    silent: 'passed-only',
  },
});
