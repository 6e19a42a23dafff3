import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import cdk from '../../../cdk.json' with { type: 'json' };
import { addPipeline, type PipelineStacks } from '../../../lib/add-pipeline.ts';
import { functionNames } from '../../../lib/bundling/bundle-functions.ts';
import { readSettings } from '../../../lib/settings/read-settings.ts';

export type Context = Readonly<Record<string, unknown>>;

export type Resource = {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly [attribute: string]: unknown;
};

/** Creates a folder that is deleted after all tests. */
export const newFolder = () => mkdtempSync(join(tmpdir(), 'infra-test-'));

/** A folder of bundles that do nothing: properties of the stacks do not depend on what runs in them. */
const stubBundles = newFolder();
for (const name of functionNames) {
  mkdirSync(join(stubBundles, name), { recursive: true });
  writeFileSync(join(stubBundles, name, 'index.js'), `exports.handler = async () => '${name}';\n`);
}

/** Builds the app as bin/app.ts does, with stub bundles. */
export function buildApp(
  context: Context = {},
  builtinCloudFormationValidation = false,
): { app: App } & PipelineStacks {
  const app = new App({
    context: { ...cdk.context, ...context },
    analyticsReporting: false,
    builtinCloudFormationValidation,
    outdir: newFolder(),
  });
  const settings = readSettings(app.node.getAllContext());
  const serviceBaseUrl = settings.serviceBaseUrl ?? 'https://api.sms-service.test';
  return { app, ...addPipeline(app, { settings, serviceBaseUrl, bundles: stubBundles }) };
}

export interface Templates {
  readonly storage: Template;
  readonly events: Template;
  readonly pipeline: Template;
  /** Undefined with `sms:registration=off`. */
  readonly registration: Template | undefined;
  /** Holds only a placeholder if no automation is on. */
  readonly automations: Template;
  /** Undefined without `sms:exportToS3=daily`. */
  readonly analysis: Template | undefined;
}

const cachedTemplates = new Map<string, Templates>();

/** The templates for these settings; each is synthesized once. */
export function templatesFor(context: Context = {}): Templates {
  const key = JSON.stringify(context);
  const templates = cachedTemplates.get(key) ?? synthesize(context);
  cachedTemplates.set(key, templates);
  return templates;
}

function synthesize(context: Context): Templates {
  const { app, storage, events, pipeline, registration, automations, analysis } = buildApp(context);
  const assembly = app.synth();
  const template = (artifactId: string) => Template.fromJSON(assembly.getStackArtifact(artifactId).template);
  return {
    storage: template(storage.artifactId),
    events: template(events.artifactId),
    pipeline: template(pipeline.artifactId),
    registration: registration && template(registration.artifactId),
    automations: template(automations.artifactId),
    analysis: analysis && template(analysis.artifactId),
  };
}

/** The resources of a type, by logical id. */
export function resourcesOf(template: Template, type: string): Record<string, Resource> {
  return template.findResources(type) as Record<string, Resource>;
}

/** The one resource of a type whose logical id begins with `prefix`. */
export function resource(template: Template, type: string, prefix = ''): { id: string } & Resource {
  const found = Object.entries(resourcesOf(template, type)).filter(([id]) => id.startsWith(prefix));
  const [only] = found;
  if (only === undefined || found.length > 1)
    throw new Error(`expected one ${type} ${prefix}*, found ${found.map(([id]) => id).join(', ') || 'none'}`);
  return { id: only[0], ...only[1] };
}

/** The logical ids of the functions' constructs, by name. */
export const constructOf = {
  ingest: 'Ingest',
  worker: 'EventsWorker',
  setup: 'Setup',
  query: 'Query',
  sweep: 'Sweep',
  exporter: 'Exporter',
  publisher: 'Publisher',
  'automations/opt-out': 'OptOut',
  'automations/contact-sync': 'ContactSync',
  'automations/failure-alert': 'FailureAlert',
  'automations/forward': 'Forward',
  'automations/billing-watch': 'BillingWatch',
} as const;

/** Returns the template of the stack that exports history, with these settings and the export on. */
export function analysisTemplate(context: Context = {}): Template {
  const { analysis } = templatesFor({ ...context, 'sms:exportToS3': 'daily' });
  if (analysis === undefined) throw new Error('no stack exports the history');
  return analysis;
}

/** The template of the stack that registers the webhook. */
export function registrationTemplate(context: Context = {}): Template {
  const { registration } = templatesFor(context);
  if (registration === undefined) throw new Error('no stack registers the webhook');
  return registration;
}

/** Settings that switch on every automation. */
export const allAutomations = {
  'sms:optOutContacts': 'on',
  'sms:contactSync': 'on',
  'sms:failureAlert': 'on',
  'sms:forwardUrl': 'https://receiver.test/events',
  'sms:billingWatch': 'on',
};

/** Settings of a custom domain for the API, and of mutual TLS. */
export const customDomain = {
  'sms:domainName': 'sms.pipeline.test',
  'sms:certificateArn': 'arn:aws:acm:us-east-1:000000000000:certificate/0a1b2c3d-0000-0000-0000-000000000000',
};
export const mutualTls = { 'sms:mutualTlsTruststore': 's3://trust.pipeline.test/cas/service.pem' };

/** The template of the automations, all of them on. */
export function automationsTemplate(context: Context = {}): Template {
  return templatesFor({ ...allAutomations, ...context }).automations;
}

/** The template that a function is in. */
export function templateOf(name: keyof typeof constructOf): Template {
  if (name === 'exporter') return analysisTemplate();
  if (name === 'publisher') return templatesFor().events;
  return name.startsWith('automations/') ? automationsTemplate() : templatesFor().pipeline;
}

export function functionNamed(template: Template, name: keyof typeof constructOf): { id: string } & Resource {
  return resource(template, 'AWS::Lambda::Function', constructOf[name]);
}
