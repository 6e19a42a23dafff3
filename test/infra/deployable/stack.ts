import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

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

const manifest = z.object({
  artifacts: z.record(
    z.string(),
    z.looseObject({
      type: z.string(),
      dependencies: z.array(z.string()).default([]),
      properties: z
        .looseObject({
          templateFile: z.string().optional(),
          stackName: z.string().optional(),
        })
        .default({}),
    }),
  ),
});

const assetManifest = z.object({
  files: z
    .record(
      z.string(),
      z.object({
        source: z.object({ path: z.string(), packaging: z.string() }),
        destinations: z.record(z.string(), z.object({ objectKey: z.string() })),
      }),
    )
    .default({}),
});

export type Resource = z.output<typeof resource>;

/** A file or folder that is uploaded before the stack is deployed. */
interface Asset {
  readonly path: string;
  /** Under which names templates find it in the bucket. */
  readonly keys: readonly string[];
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

const parsed = <T extends z.ZodType>(schema: T, path: string): z.output<T> =>
  schema.parse(JSON.parse(readFileSync(path, 'utf8')));

/** Reads the stacks that an app has synthesized into a folder. */
export function readStacks(directory: string): Stack[] {
  const { artifacts } = parsed(manifest, join(directory, 'manifest.json'));
  return Object.entries(artifacts).flatMap(([id, { type, dependencies, properties }]) => {
    const { templateFile, stackName = id } = properties;
    if (type !== 'aws:cloudformation:stack' || templateFile === undefined) return [];
    const path = join(directory, templateFile);
    return {
      name: stackName,
      template: parsed(template, path),
      templateBytes: statSync(path).size,
      dependsOn: dependencies.filter((name) => artifacts[name]?.type === type),
      assets: readAssets(directory, join(directory, `${id}.assets.json`)).filter(
        (asset) => asset.path !== path,
      ),
    };
  });
}

function readAssets(directory: string, path: string): Asset[] {
  if (!existsSync(path)) return [];
  return Object.values(parsed(assetManifest, path).files).map(({ source, destinations }) => ({
    path: join(directory, source.path),
    keys: Object.values(destinations).map(({ objectKey }) => objectKey),
    files: filesAt(join(directory, source.path)),
  }));
}

function filesAt(path: string): string[] | undefined {
  if (!existsSync(path)) return undefined;
  return statSync(path).isDirectory() ? readdirSync(path) : [path];
}
