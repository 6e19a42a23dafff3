const { readdirSync } = require('node:fs');
const { resolve } = require('node:path');

const root = resolve(__dirname, '../..');

const foldersIn = (path) => readdirSync(`${root}/${path}`).filter((name) => !name.includes('.'));

/**
 * The import rules of the folders; docs/contributing/map.md explains them.
 *
 * Each level lists its folders from top to bottom. A folder imports only from folders that stand below it; folders of one row import nothing of
 * each other. A file in a folder never imports a file that lies directly in a folder above it.
 */
const levels = {
  '': ['bin tools examples', 'cli console lib local', 'client discovery', 'functions', 'events', 'contract'],
  'contract/': [
    'checks',
    'document',
    'imports lookups',
    'events',
    'drift',
    'signature',
    'schema',
    'phone',
    'text',
  ],
  'discovery/': ['signature', 'captured'],
  'functions/': [
    'query automations',
    'insights',
    'receive',
    'lookups',
    'registration',
    'publish',
    'history',
    'base',
  ],
  'functions/automations/': [
    // Automations import nothing of each other.
    foldersIn('functions/automations')
      .filter((name) => name !== 'runner')
      .join(' '),
    'runner',
  ],
  'functions/query/api/': ['routes', 'views'],
  'console/': ['app', 'pages', 'charts', 'parts', 'viewer', 'api', 'words', 'rules'],
  'cli/commands/': [
    'mcp',
    'console',
    'doctor',
    'access contract dead-letter deploy events history init insights message number opt-out person quarantine reply send webhook',
  ],
  'cli/': [
    'commands',
    'help',
    'copies imports insights',
    'output',
    'input',
    'target',
    'personal-data',
    'stores',
    'text',
  ],
  'lib/': [
    'app',
    'public',
    'console',
    'receive',
    'query',
    'api',
    'automations',
    'insights',
    'export',
    'lookups',
    'registration',
    'publish',
    'history',
    'subscribe',
    'building-blocks',
    'options',
    'props',
    'keywords bundling',
  ],
  'local/': [
    'sample',
    'demo',
    'run',
    'gateway',
    'services',
    'iam',
    'cloudformation',
    'function-hosts',
    'processes',
    'sms-service',
    'event-patterns',
    'aws-protocol',
    'terminal',
  ],
  'local/services/': [
    'api-gateway custom-resources event-bridge',
    'lambda',
    'cloudwatch cloudwatch-logs console-hosting dynamodb iam secrets-manager sns sqs',
    'definition',
  ],
  'local/services/lambda/': ['event-sources'],
};

/** Folders without code. */
const dataFolders = ['contract/presets', 'contract/import-mappings', 'console/public', 'console/styles'];

for (const [level, rows] of Object.entries(levels).filter(([level]) => level !== ''))
  for (const entry of readdirSync(`${root}/${level}`, { withFileTypes: true })) {
    const isListed = rows.flatMap((row) => row.split(' ')).includes(entry.name);
    if (entry.isDirectory() && !isListed && !dataFolders.includes(level + entry.name))
      throw new Error(
        `${level}${entry.name} has no place in the order of folders: add it to "levels" in tools/check/import-rules.cjs.`,
      );
  }

/** What may not be imported from where: one rule for each folder that has folders above or beside it. */
const order = Object.entries(levels).flatMap(([level, rows]) =>
  rows.flatMap((row, index) =>
    row.split(' ').map((folder) => {
      const beside = row.split(' ').filter((other) => other !== folder);
      const above = [...rows.slice(0, index).flatMap((higher) => higher.split(' ')), ...beside];
      const directly = level === '' ? [] : [`^${level}[^/]+\\.ts$`];
      const folders = above.length === 0 ? [] : [`^${level}(${above.join('|')})/`];
      return {
        name: `${level}${folder}-imports-downwards`,
        severity: 'error',
        from: { path: `^${level}${folder}/` },
        to: { path: [...folders, ...directly].join('|') },
      };
    }),
  ),
);

/** The modules of functions/ with doors. Each file of base is a door of its own. */
const modules = foldersIn('functions').filter((name) => name !== 'base');

/**
 * A module is entered by its doors alone: `index.ts` for rules and types, and `io.ts` for what talks to AWS. Imports of handlers have a rule of
 * their own, `handlers-are-named-by-path`.
 */
const doors = modules.map((name) => ({
  name: `${name}-is-entered-by-its-doors`,
  severity: 'error',
  from: {
    path: '^(bin|cli|client|console|contract|discovery|events|examples|functions|lib|local|tools)/',
    pathNot: `^functions/${name}/`,
  },
  to: {
    path: `^functions/${name}/`,
    pathNot: [`^functions/${name}/(index|io|shapes)\\.ts$`, '/handler\\.ts$'],
  },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'no-cycles-of-types-in-lib', severity: 'error', from: { path: '^lib/' }, to: { circular: true } },
    ...order,
    ...doors,
    {
      name: 'public-types-only',
      comment:
        'The construct and its props are built apart from what they import (tools/package/build-construct.ts): only the types of props are for all.',
      severity: 'error',
      from: { path: '^lib/', pathNot: '^lib/(props|public|app)/' },
      to: { path: '^lib/(props|public)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'handlers-are-named-by-path',
      comment: 'Only the local run, tools and tests load a handler as Lambda does.',
      severity: 'error',
      from: { path: '^(bin|cli|client|console|contract|discovery|events|examples|functions|lib)/' },
      to: { path: '^functions/.+/handler\\.ts$' },
    },
    {
      name: 'examples-use-what-users-see',
      severity: 'error',
      from: { path: '^examples/' },
      to: { path: '^(cli|contract|functions|local)/|^lib/(?!public/index\\.ts)' },
    },
    {
      name: 'console-runs-in-browsers',
      comment:
        "The page may use the query API's types, the words of the history the rules of CSV, of ids with a source, of percent-encoding and of the words of a shell; nothing of Node.",
      severity: 'error',
      from: { path: '^console/', pathNot: '^console/vite\\.config\\.ts$' },
      to: {
        path: '^functions/|^client/(?!(types|deciding-report|proof|proof-english)\\.ts)|^contract/(?!schema/sms-event\\.ts|events/source-id\\.ts|text/csv\\.ts|text/percent-encode\\.ts|text/shell-word\\.ts)|^(node:)?(fs|http|path|crypto|os|process)(/|$)',
      },
    },
    {
      name: 'gateway-process-without-sdks',
      comment:
        "The gateway's process loads the definition of each service; the AWS SDKs would slow its start.",
      severity: 'error',
      from: { path: '^local/(gateway|iam)/|^local/services/[^/]+/(service)\\.ts$' },
      to: {
        path: '^node_modules/@aws-sdk/|^local/services/[^/]+/(api|resources)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'nothing-imports-tests',
      severity: 'error',
      from: { pathNot: '^test/' },
      to: { path: '^test/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(cdk\\.out|coverage|\\.build|\\.local)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
