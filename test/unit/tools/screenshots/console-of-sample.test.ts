import { expect, it } from 'vitest';
import { consoleOfSample } from '../../../../tools/screenshots/console-of-sample.ts';

const run = (printed: string, hasEnded = false) => ({ printed: () => printed, hasEnded: () => hasEnded });
const address = 'console http://127.0.0.1:4005/';

it('the console has its address once the sample is there', async () => {
  const printed = `${address}\n 60.0 s  the sample is there; live traffic goes on`;
  expect(await consoleOfSample(run(printed))).toBe('http://127.0.0.1:4005/');
});

it.each([
  ['has ended', run(`${address}\nerror: the port is taken`, true), 'The run ended before'],
  ['lacks events', run(`${address}\nmissing: 3 events`), 'The sample or the console is missing'],
  ['has no console', run('the sample is there'), 'The sample or the console is missing'],
])('a run that %s is reported at once, with what it printed', async (_, pipeline, reason) => {
  await expect(consoleOfSample(pipeline)).rejects.toThrow(`${reason}`);
  await expect(consoleOfSample(pipeline)).rejects.toThrow(pipeline.printed());
});
