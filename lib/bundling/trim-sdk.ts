import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import type { SdkTrim } from './sdk-trims.ts';

const advice =
  'Take the trim out of lib/bundling/sdk-trims.ts, synthesize, and see meta.json beside the bundles for what took its place; then mend or drop the trim.';

/**
 * Bundles smaller forms of files of the AWS SDK. A new version of the SDK may move a file or write it differently, and what was left out
 * would be back in silence; so the build fails where a trim finds fewer files than it is for, or more, or changes nothing in one.
 */
export function trimSdk(trims: readonly SdkTrim[]): Plugin {
  return {
    name: 'trim-sdk',
    setup: ({ onLoad, onEnd }) => {
      const matched = new Map(trims.map((trim) => [trim, new Set<string>()]));
      for (const trim of trims)
        onLoad({ filter: pathOf(trim) }, async ({ path }) => {
          matched.get(trim)?.add(path);
          const original = await readFile(path, 'utf8');
          const contents = trim.replacement(original);
          if (contents === original)
            return failed(`Trim of ${trim.file} changes nothing in ${path}: ${advice}`);
          return { contents, loader: path.endsWith('.json') ? 'json' : 'js' };
        });
      onEnd(({ errors }) =>
        errors.length > 0
          ? undefined
          : failed(
              ...[...matched]
                .filter(([{ files = 1 }, paths]) => paths.size !== files)
                .map(
                  ([{ file, files = 1 }, paths]) =>
                    `Trim of ${file} matches ${paths.size} files that are bundled, not ${files} (${[...paths].join(', ')}): ${advice}`,
                ),
            ),
      );
    },
  };
}

const failed = (...texts: readonly string[]) => ({ errors: texts.map((text) => ({ text })) });

/** Whether a path is the file of a trim, on any system. */
function pathOf({ file }: SdkTrim): RegExp {
  const parts = file.split('/').map((part) => part.replaceAll('.', '\\.').replaceAll('*', '[^\\\\/]*'));
  return new RegExp(['', 'node_modules', ...parts].join('[\\\\/]').concat('$'));
}
