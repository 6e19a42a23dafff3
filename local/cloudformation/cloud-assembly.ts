import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ACCOUNT, REGION } from '../aws-protocol/call.ts';
import { parseTemplate, type Template } from './template.ts';

const manifestSchema = z.looseObject({
  artifacts: z.record(
    z.string(),
    z.looseObject({
      type: z.string(),
      environment: z.string().optional(),
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

/** The artifacts of a cloud assembly (the output of `cdk synth`) by id. */
type Artifacts = z.infer<typeof manifestSchema>['artifacts'];

/** A file or folder that is uploaded before a stack is deployed. */
interface FileAsset {
  /** Absolute, if the assembly's is. */
  readonly path: string;
  /** The keys by which templates find it in the bucket. */
  readonly keys: readonly string[];
}

function readArtifacts(directory: string): Artifacts {
  return manifestSchema.parse(readJson(join(directory, 'manifest.json'))).artifacts;
}

/** The file assets of these artifacts. Only asset manifests have some. */
function readFileAssets(directory: string, artifacts: Artifacts, ids: readonly string[]): FileAsset[] {
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

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** A stack of a synthesized CDK app with the paths of its assets. */
export interface Stack {
  readonly name: string;
  readonly template: Template;
  /** Absolute paths of the stack's file assets by the S3 key they would be uploaded to. */
  readonly assets: ReadonlyMap<string, string>;
}

/**
 * Reads a template, with the account and the region of this machine in place of those that the app gives the stack.
 *
 * @param environment `aws://123456789012/eu-west-1`
 */
function readTemplate(file: string, environment = ''): Template {
  const [account = '', region = ''] = environment.replace(/^aws:\/\//, '').split('/');
  let text = readFileSync(file, 'utf8');
  if (/^\d{12}$/.test(account)) text = text.replaceAll(account, ACCOUNT);
  if (/-\d$/.test(region)) text = text.replaceAll(new RegExp(`(?<![\\w-])${region}(?![\\w-])`, 'g'), REGION);
  return parseTemplate(JSON.parse(text));
}

/** Returns the stages of a CDK app. Each has a cloud assembly of its own. */
export function stagesOf(directory: string): string[] {
  const artifacts = Object.entries(readArtifacts(directory));
  return artifacts.flatMap(([id, { type }]) => (type === 'cdk:cloud-assembly' ? [id] : []));
}

/** Reads a cloud assembly (the output of `cdk synth`): its stacks, each after the stacks it depends on. */
export function readCloudAssembly(directory: string): Stack[] {
  const artifacts = readArtifacts(directory);
  const stacks: Stack[] = [];
  const seen = new Set<string>();
  const visit = (id: string): void => {
    if (seen.has(id)) return;
    seen.add(id);
    const artifact = artifacts[id];
    if (!artifact) return;
    for (const dependency of artifact.dependencies) visit(dependency);
    const { templateFile, stackName } = artifact.properties;
    if (artifact.type !== 'aws:cloudformation:stack' || !templateFile) return;
    const assets = readFileAssets(directory, artifacts, artifact.dependencies);
    stacks.push({
      name: stackName ?? id,
      template: readTemplate(join(directory, templateFile), artifact.environment),
      assets: new Map(assets.flatMap(({ path, keys }) => keys.map((key) => [key, path] as const))),
    });
  };
  for (const id of Object.keys(artifacts)) visit(id);
  return stacks;
}
