import type { Stack } from './stack.ts';
import { valuesAt } from './values-at.ts';

/** Assets that are not there or that no function uses, and functions without code or without the file of their handler. */
export function assetProblems(stacks: readonly Stack[]): string[] {
  return stacks.flatMap(({ name, template, assets }) => {
    const functions = Object.entries(template.Resources).filter(
      ([, { Type }]) => Type === 'AWS::Lambda::Function',
    );
    const used = new Set(functions.flatMap(([, { Properties }]) => valuesAt(Properties, 'Code.S3Key')));
    const ofAssets = assets.flatMap(({ path, keys, files }) => {
      if (files === undefined || files.length === 0) return [`${name}: nothing at ${path}`];
      return keys.some((key) => used.has(key)) ? [] : [`${name}: nobody uses ${path}`];
    });
    const ofFunctions = functions.flatMap(([id, { Properties }]) => {
      const [key] = valuesAt(Properties, 'Code.S3Key');
      const asset = assets.find(({ keys }) => keys.some((one) => one === key));
      if (asset === undefined) return [`${name} ${id}: no asset ${String(key)}`];
      const [module = ''] = String(Properties.Handler).split('.');
      const isThere = ['js', 'cjs', 'mjs'].some((ending) => asset.files?.includes(`${module}.${ending}`));
      return isThere ? [] : [`${name} ${id}: no file for the handler ${String(Properties.Handler)}`];
    });
    return [...ofAssets, ...ofFunctions];
  });
}
