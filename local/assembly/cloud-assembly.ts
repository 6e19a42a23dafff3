import { join } from 'node:path';
import { parseTemplate, type Template } from '../template/template.ts';
import { readArtifacts, readFileAssets, readJson } from './manifest.ts';

/** A stack of a synthesized CDK app, with where its assets lie. */
export interface Stack {
  readonly name: string;
  readonly template: Template;
  /** Absolute paths of the stack's file assets by the S3 key they would be uploaded to. */
  readonly assets: ReadonlyMap<string, string>;
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
      template: parseTemplate(readJson(join(directory, templateFile))),
      assets: new Map(assets.flatMap(({ path, keys }) => keys.map((key) => [key, path] as const))),
    });
  };
  for (const id of Object.keys(artifacts)) visit(id);
  return stacks;
}
