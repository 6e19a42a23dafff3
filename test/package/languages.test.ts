import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, inject, it, type TestContext } from 'vitest';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'languages-'));
const languages = join(folder, 'languages');

beforeAll(async () => {
  const options = ['--package', inject('packageFolder'), '--out', languages, '--code-only'];
  const args = ['tools/package/build-languages.ts', 'java', 'dotnet', 'go', ...options];
  await run(process.execPath, args, { cwd: root });
});

/** The construct runs in Node, in every language. */
const env = {
  ...process.env,
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  CDK_OUTDIR: undefined,
  JSII_SILENCE_WARNING_UNTESTED_NODE_VERSION: '1',
};

/** Copies the example of a language. Skips the test where the language's tool is missing. */
function exampleOf(language: string, tool: string, context: TestContext): string {
  const found = spawnSync(tool, [tool === 'go' ? 'version' : '--version'], { env });
  context.skip(found.status !== 0, `not tried: ${tool} is not installed`);
  const cwd = join(folder, language);
  cpSync(join(root, 'examples', language), cwd, { recursive: true });
  return cwd;
}

function edit(path: string, change: (text: string) => string): void {
  const text = readFileSync(path, 'utf8');
  const changed = change(text);
  expect(changed).not.toBe(text);
  writeFileSync(path, changed);
}

function expectPipelineIn(out: string): void {
  const { Resources } = JSON.parse(readFileSync(join(out, 'Shop.template.json'), 'utf8'));
  const types = Object.values<{ Type: string }>(Resources).map(({ Type }) => Type);
  expect(types).toContain('AWS::ApiGatewayV2::Api');
  expect(types.filter((type) => type === 'AWS::Events::Rule').length).toBeGreaterThanOrEqual(2);
}

it('Go: the example compiles, and synthesizes the pipeline', async (context) => {
  const cwd = exampleOf('go', 'go', context);
  const module = 'example.com/sms-event-pipeline-go/smseventpipeline';
  await run('go', ['mod', 'edit', `-replace=${module}=${join(languages, 'go/smseventpipeline')}`], {
    cwd,
    env,
  });
  await run('go', ['mod', 'tidy'], { cwd, env });
  await run('go', ['build', '-o', 'shop', '.'], { cwd, env });
  const out = join(cwd, 'cdk.out');
  await run(join(cwd, 'shop'), [], { cwd, env: { ...env, CDK_OUTDIR: out } });
  expectPipelineIn(out);
});

it('Java: the example compiles', async (context) => {
  const cwd = exampleOf('java', 'mvn', context);
  const build = join(folder, 'maven');
  cpSync(join(languages, 'java'), join(build, 'construct'), { recursive: true });
  cpSync(cwd, join(build, 'shop'), { recursive: true });
  writeFileSync(
    join(build, 'pom.xml'),
    `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
    <groupId>com.example</groupId><artifactId>all</artifactId><version>1</version><packaging>pom</packaging>
    <modules><module>construct</module><module>shop</module></modules></project>`,
  );
  const compile = () => run('mvn', ['--batch-mode', 'compile'], { cwd: build, env, maxBuffer: 2 ** 26 });
  await compile().catch(async (error: { stdout: string }) => {
    // A mirror of the registry may be months behind.
    if (!/No versions available for software\.amazon\.awscdk:aws-cdk-lib/.test(error.stdout)) throw error;
    console.info(
      'The Maven registry has no CDK of the peer range: compiled with the newest one that it has.',
    );
    edit(join(build, 'construct/pom.xml'), (text) =>
      text.replace(/(<artifactId>aws-cdk-lib<\/artifactId>\s*<version>)[^<]*/, '$1[2.255.0,3.0.0)'),
    );
    await compile();
  });
});

it('.NET: the example compiles', async (context) => {
  const cwd = exampleOf('dotnet', 'dotnet', context);
  const project = join(languages, 'dotnet/SmsEventPipeline/SmsEventPipeline.csproj');
  edit(join(cwd, 'Shop.csproj'), (text) =>
    text.replace(
      /<PackageReference Include="SmsEventPipeline".*\/>/,
      `<ProjectReference Include="${project}" />`,
    ),
  );
  await run('dotnet', ['build', '--nologo'], { cwd, env, maxBuffer: 2 ** 26 });
});
