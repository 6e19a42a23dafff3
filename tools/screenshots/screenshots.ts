/**
 * `npm run screenshots [-- --out FOLDER]` plays the sample on this machine, takes the pictures of the console for README.md and docs/, and ends
 * what it started. The texts are the same in each run; times, ids of sends and the newest figures follow the clock.
 */
import { mkdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type LocalPipeline, withPipeline } from '../support/local-pipeline.ts';
import { runScript } from '../support/run-script.ts';
import { consoleOfSample } from './console-of-sample.ts';
import { takePictures } from './take-pictures.ts';

const root = resolve(import.meta.dirname, '../..');

await runScript(async () => {
  const { values } = parseArgs({ options: { out: { type: 'string', default: join(root, 'docs/images') } } });
  const folder = resolve(values.out);
  mkdirSync(folder, { recursive: true });
  console.log('filling a pipeline with the sample');
  return withPipeline({}, (pipeline) => pictures(pipeline, folder), ['--sample']);
});

async function pictures(pipeline: LocalPipeline, folder: string): Promise<number> {
  const address = await consoleOfSample(pipeline);
  const tooLarge: string[] = [];
  for (const { file, bytes, maxBytes } of await takePictures(address, folder)) {
    console.log(`${relative(root, file)}  ${Math.ceil(bytes / 1000)} KB`);
    if (bytes > maxBytes) tooLarge.push(`${relative(root, file)} has more than ${maxBytes / 1000} KB`);
  }
  for (const line of tooLarge) console.error(line);
  return tooLarge.length === 0 ? 0 : 1;
}
