import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const manifestSchema = z.looseObject({
  artifacts: z.record(
    z.string(),
    z.looseObject({
      type: z.string(),
      dependencies: z.array(z.string()).default([]),
      properties: z
        .looseObject({
          templateFile: z.string().optional(),
          stackName: z.string().optional(),
          file: z.string().optional(),
        })
        .default({}),
    }),
  ),
});

const assetManifestSchema = z.looseObject({
  files: z
    .record(
      z.string(),
      z.looseObject({
        source: z.looseObject({ path: z.string().optional(), packaging: z.string().optional() }),
        destinations: z.record(z.string(), z.looseObject({ objectKey: z.string() })),
      }),
    )
    .default({}),
});

/** What a cloud assembly (the output of `cdk synth`) says it is made of, by id. */
export type Artifacts = z.infer<typeof manifestSchema>['artifacts'];

/** A file or folder that is uploaded before a stack is deployed. */
export interface FileAsset {
  /** Absolute, if the assembly's is. */
  readonly path: string;
  /** Under which names templates find it in the bucket. */
  readonly keys: readonly string[];
}

export function readArtifacts(directory: string): Artifacts {
  return manifestSchema.parse(readJson(join(directory, 'manifest.json'))).artifacts;
}

/** The file assets that these artifacts hold; those that are no asset manifests hold none. */
export function readFileAssets(directory: string, artifacts: Artifacts, ids: readonly string[]): FileAsset[] {
  return ids.flatMap((id) => {
    const artifact = artifacts[id];
    if (artifact?.type !== 'cdk:asset-manifest' || artifact.properties.file === undefined) return [];
    const { files } = assetManifestSchema.parse(readJson(join(directory, artifact.properties.file)));
    return Object.values(files).flatMap(({ source, destinations }) =>
      source.path === undefined
        ? []
        : {
            path: join(directory, source.path),
            keys: Object.values(destinations).map(({ objectKey }) => objectKey),
          },
    );
  });
}

export function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
