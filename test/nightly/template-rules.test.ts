import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import { expect, it } from 'vitest';
import cdk from '../../cdk.json' with { type: 'json' };
import { everything, largest, pipelineStacks, smallest } from '../infra/deployable/synthesized.ts';
import { buildApp, type Context, newFolder } from '../infra/support/built-app.ts';

/*
 * AWS's linter reads the schemas of the resource types, which CloudFormation itself checks at deployment. Its version has the newest ones, so raise it
 * now and then.
 */
const version = '1.58.0';
const venv = resolve(import.meta.dirname, `../../.local/cfn-lint-${version}`);
const linter = join(venv, 'bin/cfn-lint');

/** The CDK writes dependencies that a reference makes too, which changes nothing. */
const ignored = ['W3005'];

it('cfn-lint finds nothing in the default pipeline, in the smallest one, and in one with everything on', () => {
  if (!existsSync(linter)) {
    execFileSync('python3', ['-m', 'venv', venv]);
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-compile'];
    execFileSync(join(venv, 'bin/python3'), [...pip, `cfn-lint==${version}`], { stdio: 'inherit' });
  }
  const folder = newFolder();
  const files = Object.entries({ default: {}, smallest, everything }).flatMap(([name, context]) =>
    pipelineStacks(context).map((stack) => {
      const file = join(folder, `${name}-${stack.name}.json`);
      writeFileSync(file, JSON.stringify(stack.template));
      return file;
    }),
  );
  expect(files).toHaveLength(3);
  const { status, stdout, stderr } = spawnSync(
    linter,
    ['--format', 'parseable', '--ignore-checks', ...ignored, '--template', ...files],
    { encoding: 'utf8' },
  );
  expect([stdout, stderr]).toEqual(['', '']);
  expect(status).toBe(0);
}, 300_000);

/** An app whose synthesis tries the rules of CloudFormation. */
const validatedApp = (context: Context) =>
  new App({ context, analyticsReporting: false, outdir: newFolder() });

function violationsIn(directory: string): unknown {
  return JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8')).pluginReports;
}

// Lengths, ranges and references: tools/check/template-problems.ts does not repeat these rules.
it.each([
  ['largest', largest],
  ['smallest', smallest],
])('the rules of CloudFormation find no error in the templates of the %s settings', (_, settings) => {
  const context = { 'sms:serviceBaseUrl': 'https://api.sms-service.test', ...cdk.context, ...settings };
  const { directory } = buildApp(settings, validatedApp(context)).app.synth();
  expect(violationsIn(directory)).toEqual([]);
});

it('the rules of CloudFormation find a number that is out of range', () => {
  const app = validatedApp({});
  new CfnQueue(new Stack(app, 'Careless'), 'Queue', { visibilityTimeout: 43_201 });
  const { directory } = app.synth();
  expect(JSON.stringify(violationsIn(directory))).toContain('43201 is greater than the maximum');
});
