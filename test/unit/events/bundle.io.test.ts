import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('a bundle with an example of an event has modules of events/ alone, and less than 10 KB', async () => {
  const contents =
    "import { exampleEvent } from '../../../events/index.ts'; console.log(exampleEvent('SMS Opt-Out'));";
  const { metafile, outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    platform: 'node',
    write: false,
    metafile: true,
  });
  const modules = Object.keys(metafile.inputs).filter((path) => path !== '<stdin>');
  expect(modules).toContain('events/examples.ts');
  expect(modules.filter((path) => !path.startsWith('events/'))).toEqual([]);
  expect(outputFiles[0]?.contents.length).toBeLessThan(10_000);
});
