import { join } from 'node:path';
import { build, type Rolldown } from 'vite';

/**
 * Builds the console's page.
 *
 * @returns the files whose code is in it
 */
export async function buildPage(root: string, outDir: string): Promise<string[]> {
  // Vite builds React for development where NODE_ENV says something else, as it does in a test.
  process.env.NODE_ENV = 'production';
  const built = await build({
    configFile: join(root, 'console/vite.config.ts'),
    build: { outDir },
    logLevel: 'warn',
  });
  const { output } = built as Rolldown.RolldownOutput;
  return output.flatMap((file) =>
    file.type === 'chunk'
      ? Object.entries(file.modules).flatMap(([path, { renderedLength }]) => (renderedLength > 0 ? path : []))
      : [],
  );
}
