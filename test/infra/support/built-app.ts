import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import cdk from '../../../cdk.json' with { type: 'json' };
import { SmsPipelineStack } from '../../../lib/app/sms-pipeline-stack.ts';
import { type BuiltFunctions, functionNames } from '../../../lib/bundling/function-code.ts';
import { SmsPipeline } from '../../../lib/public/sms-pipeline.ts';

export type Context = Readonly<Record<string, unknown>>;

export type Resource = {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly [attribute: string]: unknown;
};

/** Creates a folder that is deleted after all tests. */
export const newFolder = () => mkdtempSync(join(tmpdir(), 'infra-test-'));

/** Functions that do nothing: properties of the stacks do not depend on what runs in them. */
const stubFunctions: BuiltFunctions = {
  functions: Object.fromEntries(
    functionNames.map((name) => [name, { 'index.js': `exports.handler = async () => '${name}';\n` }]),
  ),
  signature: {},
};

/** A page of the console that shows nothing. */
function stubPage(): string {
  const folder = newFolder();
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'assets', 'index-A1.js'), '');
  return folder;
}
const consolePage = stubPage();

/** The construct with functions that do nothing. */
export class StubbedPipeline extends SmsPipeline {
  protected override _builtFunctions(): BuiltFunctions {
    return stubFunctions;
  }

  protected override _consolePage(): string {
    return consolePage;
  }
}

/** An app without telemetry and without CloudFormation's own rules, which take longer than the synthesis. */
export const quickApp = (context: Context = {}) =>
  new App({
    context: { 'sms:serviceBaseUrl': 'https://api.sms-service.test', ...cdk.context, ...context },
    analyticsReporting: false,
    builtinCloudFormationValidation: false,
    outdir: newFolder(),
  });

/** Builds the app as bin/app.ts does, with stub bundles. */
export function buildApp(
  context: Context = {},
  app = quickApp(context),
): { readonly app: App; readonly stack: SmsPipelineStack } {
  const stack = new SmsPipelineStack(app, { _functions: stubFunctions, _consolePage: consolePage });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
  return { app, stack };
}

/** Returns a function that makes a value once for each set of settings, for all files of a worker. */
export function onceForSettings<T>(make: (context: Context) => T): (context?: Context) => T {
  const made = new Map<string, T>();
  return (context = {}) => {
    const key = JSON.stringify(context);
    const value = made.get(key) ?? make(context);
    made.set(key, value);
    return value;
  };
}

/** The assembly for these settings, with the stack in it. */
export const assemblyFor = onceForSettings((context) => {
  const { app, stack } = buildApp(context);
  return { assembly: app.synth(), stack };
});

/** The template for these settings. */
export const templateFor = onceForSettings((context): Template => {
  const { assembly, stack } = assemblyFor(context);
  return Template.fromJSON(assembly.getStackArtifact(stack.artifactId).template);
});

/** The resources of a type, by logical id. */
export function resourcesOf(template: Template, type: string): Record<string, Resource> {
  return template.findResources(type) as Record<string, Resource>;
}

/** The parts of a pipeline, with which the logical ids of their resources begin. */
const parts = [
  '',
  'History',
  'Publish',
  'Receive',
  'Registration',
  'Query',
  'Insights',
  'Lookups',
  'Automations',
  'Console',
  'Export',
];

/** Returns whether a logical id begins so, after the name of a part. */
export const isBelow = (id: string, prefix: string) => parts.some((part) => id.startsWith(part + prefix));

/** The one resource of a type whose logical id begins with `prefix`, after the name of its part. */
export function resource(template: Template, type: string, prefix = ''): { id: string } & Resource {
  const found = Object.entries(resourcesOf(template, type)).filter(([id]) => isBelow(id, prefix));
  // The table History is beside HistoryQuarantine.
  const named = found.filter(([id]) =>
    parts.some((part) => id.replace(/[0-9A-F]{8}$/, '') === part + prefix),
  );
  const [only] = named.length === 1 ? named : found;
  if (only === undefined || (found.length > 1 && named.length !== 1))
    throw new Error(`expected one ${type} ${prefix}*, found ${found.map(([id]) => id).join(', ') || 'none'}`);
  return { id: only[0], ...only[1] };
}

/** The logical ids of the functions' constructs, by name. */
export const constructOf = {
  ingest: 'Ingest',
  worker: 'EventsWorker',
  setup: 'Setup',
  query: 'Query',
  console: 'ConsoleRequests',
  lookups: 'Lookups',
  sweep: 'Sweep',
  exporter: 'Exporter',
  publisher: 'Publisher',
  insights: 'Insights',
  'automations/opt-out': 'OptOut',
  'automations/contact-sync': 'ContactSync',
  'automations/failure-alert': 'FailureAlert',
  'automations/forward': 'Forward',
  'automations/billing-watch': 'BillingWatch',
  'automations/delivery-watch': 'DeliveryWatch',
} as const;

/** Settings that switch on every automation. */
const allAutomations = {
  'sms:optOutContacts': 'on',
  'sms:contactSync': 'on',
  'sms:failureAlert': 'on',
  'sms:forwardUrl': 'https://receiver.test/events',
  'sms:billingWatch': 'on',
  'sms:deliveryWatch': 'on',
};

/** Every function of the pipeline is in a template with these settings. */
export const everyFunction = { ...allAutomations, 'sms:exportToS3': 'daily', 'sms:lookups': 'on' };

/** Settings of a custom domain for the API, and of mutual TLS. */
export const customDomain = {
  'sms:domainName': 'sms.pipeline.test',
  'sms:certificateArn': 'arn:aws:acm:us-east-1:000000000000:certificate/0a1b2c3d-0000-0000-0000-000000000000',
};
export const mutualTls = { 'sms:mutualTlsTruststore': 's3://trust.pipeline.test/cas/service.pem' };

/** Another value for every setting, except what names the stack and what changes the stored data or leaves parts out. */
export const changedSettings = {
  'sms:contractFile': './contract.json',
  'sms:keywordsFile': './keywords.json',
  'sms:apiKeySecretName': 'team/sms-key',
  'sms:serviceBaseUrl': 'http://127.0.0.1:4001',
  'sms:retentionDays': 31,
  'sms:quarantineRetentionDays': '8',
  'sms:historyTableClass': 'infrequent-access',
  'sms:recoveryDays': '8',
  'sms:secretOverlapHours': 48,
  'sms:rotateAfterDays': 91,
  'sms:parkUnverified': 'always',
  'sms:captureUntil': '2026-01-15T12:00:00Z',
  'sms:webhookDrift': 'report',
  'sms:allowedSourceIps': '192.0.2.0/24,2001:db8::/32',
  'sms:throttleRatePerSecond': '50',
  'sms:throttleBurst': '80',
  'sms:workerBatchSize': '500',
  'sms:workerBatchWindowSeconds': '5',
  'sms:workerTimeoutSeconds': '30',
  'sms:workerMaximumConcurrency': '7',
  'sms:maxReceiveCount': '13',
  'sms:optOutsBySource': 'on',
  'sms:listShards': 4,
  'sms:staleAfterHours': 24,
  'sms:lookups': 'on',
  'sms:lookupPrices': 'on',
  'sms:queryRoleArn': 'arn:aws:iam::000000000000:role/team/reader',
  'sms:insights': 'on',
  'sms:insightsRetentionDays': '33',
  'sms:insightsHourRetentionDays': '34',
  'sms:console': 'on',
  'sms:consoleDomainName': 'console.pipeline.test',
  'sms:consoleCertificateArn':
    'arn:aws:acm:us-east-1:000000000000:certificate/0a1b2c3d-0000-0000-0000-000000000001',
  'sms:consoleOidcIssuer': 'https://login.pipeline.test/tenant',
  'sms:consoleOidcClientId': 'console',
  'sms:consoleOidcGroupsClaim': 'roles',
  'sms:exportToS3': 'daily',
  'sms:exportRetentionDays': '32',
  'sms:logRetentionDays': '7',
  'sms:auditLogRetentionDays': '14',
  'sms:everyEvent': 'on',
  'sms:publisherParallelism': 10,
  'sms:eventArchiveDays': 9,
  'sms:eventBusAccounts': '111111111111,222222222222',
  ...customDomain,
  'sms:webhookAddress': 'api',
  'sms:dashboard': 'off',
  'sms:tracing': 'on',
  'sms:tags': 'team=shop, cost-center=12',
  'sms:invocationLogs': 'on',
  'sms:accessLog': 'off',
  ...allAutomations,
  'sms:optOutListIds': '5f2b8a52-0a2f-4f2e-9d3a-3f6f7c1f9e10,0c9f3a54-7f6b-4f0e-8a5d-1b2c3d4e5f60',
  'sms:optInListIds': '5f2b8a52-0a2f-4f2e-9d3a-3f6f7c1f9e11',
  'sms:contactListIds': '5f2b8a52-0a2f-4f2e-9d3a-3f6f7c1f9e12',
  'sms:failureAlertMinutes': 30,
  'sms:forwardUrl': 'https://other.test/',
  'sms:forwardDetailTypes': 'SMS Webhook Drifted',
  'sms:alarmTopicArn': 'arn:aws:sns:us-east-1:000000000000:ops',
  'sms:pageTopicArn': 'arn:aws:sns:us-east-1:000000000000:pages',
  'sms:runbookUrl': 'https://wiki.test/sms/runbook.md',
};

/** The template with a function in it, and with these settings. */
export function templateOf(name: keyof typeof constructOf, context: Context = everyFunction): Template {
  return templateFor(name === 'console' ? { ...context, 'sms:console': 'on' } : context);
}

/** The environment of a function, with these settings. */
export function environmentOf(name: keyof typeof constructOf, context?: Context): Record<string, unknown> {
  const { Environment } = functionNamed(templateOf(name, context), name).Properties;
  return (Environment as { Variables: Record<string, unknown> }).Variables;
}

export function functionNamed(template: Template, name: keyof typeof constructOf): { id: string } & Resource {
  return resource(template, 'AWS::Lambda::Function', constructOf[name]);
}
