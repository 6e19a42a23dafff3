import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseTemplate, type Template } from '../template/template.ts';

/** A stack of a synthesized CDK app, with where its assets lie. */
export interface Stack {
  readonly name: string;
  readonly template: Template;
  /** Absolute paths of the stack's file assets by the S3 key they would be uploaded to. */
  readonly assets: ReadonlyMap<string, string>;
}

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

type Manifest = z.infer<typeof manifestSchema>;

/** Reads a cloud assembly (the output of `cdk synth`): its stacks, each after the stacks it depends on. */
export function readCloudAssembly(directory: string): Stack[] {
  const manifest = manifestSchema.parse(readJson(join(directory, 'manifest.json')));
  const stacks: Stack[] = [];
  const seen = new Set<string>();
  const visit = (id: string): void => {
    if (seen.has(id)) return;
    seen.add(id);
    const artifact = manifest.artifacts[id];
    if (!artifact) return;
    for (const dependency of artifact.dependencies) visit(dependency);
    const { templateFile, stackName } = artifact.properties;
    if (artifact.type !== 'aws:cloudformation:stack' || !templateFile) return;
    stacks.push({
      name: stackName ?? id,
      template: parseTemplate(readJson(join(directory, templateFile))),
      assets: new Map(assetFiles(directory, manifest, artifact.dependencies)),
    });
  };
  for (const id of Object.keys(manifest.artifacts)) visit(id);
  return stacks;
}

function* assetFiles(
  directory: string,
  manifest: Manifest,
  artifactIds: readonly string[],
): Generator<[string, string]> {
  for (const id of artifactIds) {
    const artifact = manifest.artifacts[id];
    if (artifact?.type !== 'cdk:asset-manifest' || !artifact.properties.file) continue;
    const { files } = assetManifestSchema.parse(readJson(join(directory, artifact.properties.file)));
    for (const { source, destinations } of Object.values(files)) {
      if (source.path === undefined) continue;
      for (const { objectKey } of Object.values(destinations))
        yield [objectKey, join(directory, source.path)];
    }
  }
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}
