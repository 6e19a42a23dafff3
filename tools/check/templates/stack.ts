import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import {
  type FileAsset,
  readArtifacts,
  readFileAssets,
  readJson,
} from '../../../local/cloudformation/cloud-assembly.ts';

/**
 * The values at a path in JSON; `*` stands for every element of a list or every member of an object.
 *
 * @example
 * valuesAt(rule, 'Targets.*.Arn')
 */
export function valuesAt(value: unknown, path: string): unknown[] {
  const [step, ...rest] = path.split('.');
  if (step === undefined || typeof value !== 'object' || value === null) return [];
  const found =
    step === '*' ? Object.values(value) : Object.hasOwn(value, step) ? [Reflect.get(value, step)] : [];
  return rest.length === 0 ? found : found.flatMap((inner) => valuesAt(inner, rest.join('.')));
}

/** The number at a path, if there is one. */
export function numberAt(value: unknown, path: string): number | undefined {
  const [found] = valuesAt(value, path);
  return typeof found === 'number' ? found : undefined;
}

/** Every text in JSON with the path to it. */
export function* textsIn(value: unknown, path = ''): Generator<{ path: string; text: string }> {
  if (typeof value === 'string' || typeof value === 'number') yield { path, text: String(value) };
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value))
    yield* textsIn(inner, path === '' ? key : `${path}.${key}`);
}

const ids = z.union([z.string().transform((id) => [id]), z.array(z.string())]);

const resource = z.looseObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  DependsOn: ids.default([]),
});

const template = z.looseObject({
  Resources: z.record(z.string(), resource).default({}),
  Outputs: z
    .record(
      z.string(),
      z.looseObject({
        Value: z.unknown(),
        Export: z.object({ Name: z.string() }).optional(),
      }),
    )
    .default({}),
});

export type Resource = z.output<typeof resource>;

interface Asset extends FileAsset {
  /** Names in the folder, or of the one file; nothing where it is not there. */
  readonly files: readonly string[] | undefined;
}

/** A stack as it would be deployed. Plain data, so that a test can break it. */
export interface Stack {
  readonly name: string;
  readonly template: z.output<typeof template>;
  /** Names of the stacks that are deployed before it. */
  readonly dependsOn: string[];
  readonly assets: Asset[];
}

/** Reads the stacks that an app has synthesized into a folder. */
export function readStacks(directory: string): Stack[] {
  const artifacts = readArtifacts(directory);
  return Object.entries(artifacts).flatMap(([id, { type, dependencies, properties }]) => {
    const { templateFile, stackName = id } = properties;
    if (type !== 'aws:cloudformation:stack' || templateFile === undefined) return [];
    const path = join(directory, templateFile);
    return {
      name: stackName,
      template: template.parse(readJson(path)),
      dependsOn: dependencies.filter((name) => artifacts[name]?.type === type),
      assets: readFileAssets(directory, artifacts, dependencies)
        .filter((asset) => asset.path !== path)
        .map((asset) => ({ ...asset, files: filesAt(asset.path) })),
    };
  });
}

function filesAt(path: string): string[] | undefined {
  if (!existsSync(path)) return undefined;
  return statSync(path).isDirectory() ? readdirSync(path) : [path];
}
