import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { type FileAsset, readArtifacts, readFileAssets, readJson } from '../../../local/assembly/manifest.ts';

const ids = z.union([z.string().transform((id) => [id]), z.array(z.string())]);

const resource = z.looseObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  DependsOn: ids.default([]),
});

const template = z.looseObject({
  Description: z.string().optional(),
  Parameters: z.record(z.string(), z.looseObject({ Type: z.string() })).default({}),
  Resources: z.record(z.string(), resource).default({}),
  Outputs: z
    .record(
      z.string(),
      z.looseObject({
        Value: z.unknown(),
        Description: z.string().optional(),
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
  /** Size of the template's file. */
  readonly templateBytes: number;
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
      templateBytes: statSync(path).size,
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
