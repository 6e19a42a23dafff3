import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { GroupName, Groups } from '../../lib/options/options.ts';
import type { SourceProps } from '../../lib/public/index.ts';
import project from '../../package.json' with { type: 'json' };
import { peers } from '../../tools/package/package-manifest.ts';
import { install, typeErrors } from '../support/packed-package.ts';
import type { everyAutomation, everyOtherProp, everyProp, everySourceProp } from './support/every-prop.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'peer-range-'));
const lowest = (range: string) => range.replace('^', '');

/** All props of a group, also those of its groups. */
type Complete<Name extends GroupName> = {
  readonly [Prop in keyof Groups[Name]['props'] & string]-?: PathOf<Name, Prop> extends GroupName
    ? GroupOrGroupsByName<Exclude<Groups[Name]['props'][Prop], undefined>, Complete<PathOf<Name, Prop>>>
    : Exclude<Groups[Name]['props'][Prop], undefined>;
};
type GroupOrGroupsByName<Prop, One> = string extends keyof Prop ? { readonly [name: string]: One } : One;
type PathOf<Name extends GroupName, Prop extends string> = Name extends 'pipeline' ? Prop : `${Name}.${Prop}`;
type WithoutUndefined<T> = T extends object ? { readonly [K in keyof T]-?: Exclude<T[K], undefined> } : T;
type Automations = {
  readonly [Name in GroupName as Name extends `automations.${infer Kind}` ? Kind : never]: Complete<Name>;
};
type Source = Required<Omit<SourceProps, 'webhook' | 'worker'>> & {
  readonly [Name in 'webhook' | 'worker']: WithoutUndefined<Exclude<SourceProps[Name], undefined>>;
};

// The compiler reports a prop that the app lacks.
void ({} as ReturnType<typeof everyProp> & ReturnType<typeof everyOtherProp> satisfies Complete<'pipeline'>);
void ({} as ReturnType<typeof everyAutomation> satisfies Automations);
void ({} as ReturnType<typeof everySourceProp> satisfies Source);

const app = readFileSync(join(import.meta.dirname, 'support/every-prop.ts'), 'utf8').replace(
  '../../../lib/public/index.ts',
  'sms-event-pipeline',
);
it('the page for own apps names the lowest CDK', () => {
  const page = readFileSync(join(root, 'docs/start/own-app.md'), 'utf8');
  expect(page).toContain(`(\`aws-cdk-lib\` ${lowest(peers['aws-cdk-lib'])} or newer)`);
});

/** Uses the types of the other entries. */
const otherEntries = `
import { App } from 'aws-cdk-lib';
import { createClient, type Message } from 'sms-event-pipeline/client';
import { detailTypes, exampleEvent, type SmsEvent } from 'sms-event-pipeline/events';
import { SmsPipelineStack } from 'sms-event-pipeline/stand-alone';
import type { ISmsPipeline } from 'sms-event-pipeline';
export const pipeline: ISmsPipeline = new SmsPipelineStack(new App()).pipeline;
export const textOf = ({ detail }: SmsEvent<'SMS Reply Received'>): string => detail.text;
export const text = textOf(exampleEvent(detailTypes.replyReceived));
export const statusOf = ({ status }: Message): string => status;
export const sms = createClient({ baseUrl: 'https://sms.pipeline.test/v1', region: 'us-east-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } });
`;

const compilers = { '5.4': '5.4.5', '5.9': '5.9.3', '6.0': '6.0.3' } as const;
const compilersFolder = join(folder, 'compilers');
const compilerOf = (version: string) =>
  createRequire(join(compilersFolder, 'package.json'))(`typescript-${version}`);
beforeAll(() =>
  install(
    compilersFolder,
    Object.entries(compilers).map(([name, version]) => `typescript-${name}@npm:typescript@${version}`),
  ),
);

const nodeTypes = `@types/node@${project.devDependencies['@types/node']}`;

describe.each([
  ['lowest', lowest(peers['aws-cdk-lib']), lowest(peers.constructs)],
  ['newest', 'latest', 'latest'],
])('the %s CDK of the peer range (%s)', (name, cdk, constructs) => {
  const cwd = join(folder, name);
  beforeAll(async () => {
    await install(cwd, [inject('tarball'), `aws-cdk-lib@${cdk}`, `constructs@${constructs}`, nodeTypes]);
    const { version } = JSON.parse(readFileSync(join(cwd, 'node_modules/aws-cdk-lib/package.json'), 'utf8'));
    console.info(`The ${name} CDK is ${version}.`);
    copyFileSync(join(root, 'contract.json'), join(cwd, 'contract.json'));
    for (const file of ['app.ts', 'app.mts']) writeFileSync(join(cwd, file), app);
    for (const file of ['entries.ts', 'entries.mts']) writeFileSync(join(cwd, file), otherEntries);
  });

  it.each(['cjs', 'esm'] as const)(
    'synthesizes every prop, two names, a stage and a nested stack (%s)',
    async (format) => {
      const { code } = await transform(app, { loader: 'ts', format });
      const file = format === 'cjs' ? 'app.cjs' : 'app.mjs';
      writeFileSync(join(cwd, file), code);
      const out = join(cwd, `${format}.out`);
      await run(process.execPath, [file], { cwd, env: { PATH: process.env.PATH, CDK_OUTDIR: out } });
      const templates = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((path) =>
        path.endsWith('.template.json'),
      );
      const withPipeline = templates.filter((path) =>
        readFileSync(join(out, path), 'utf8').includes('"AWS::Lambda::Function"'),
      );
      expect(withPipeline.map((path) => path.replace(/[0-9A-F]{8}|(.*\/)/g, '')).toSorted()).toEqual([
        'EveryProp.template.json',
        'ParentNested.nested.template.json',
        'ProdShop.template.json',
        'ShopAlpha.template.json',
        'ShopBeta.template.json',
      ]);
    },
  );

  describe.each(Object.keys(compilers))('TypeScript %s', (version) => {
    it.each([
      [
        'modules and CommonJS of Node',
        'Node16',
        'Node16',
        ['app.ts', 'app.mts', 'entries.ts', 'entries.mts'],
      ],
      ['CommonJS without exports', 'CommonJS', 'Node10', ['app.ts', 'entries.ts']],
    ])('compiles an app of %s', (_, module, moduleResolution, files) => {
      const options = {
        module,
        moduleResolution,
        strict: true,
        skipLibCheck: false,
        noEmit: true,
        target: 'ES2022',
        lib: ['ES2022'],
        types: ['node'],
        // TypeScript 6 reports Node10 as deprecated, and older ones do not know the option's value.
        ...(version === '6.0' && { ignoreDeprecations: '6.0' }),
      };
      expect(typeErrors(compilerOf(version), cwd, files, options)).toBe('');
    });
  });
});
