/** The import rules of the folders; see CONTRIBUTING.md. */
const functionFolders = 'ingest|worker|setup|publisher|query|sweep|exporter|automations';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'core-is-pure',
      comment: 'core imports nothing of ours, no AWS and no I/O',
      severity: 'error',
      from: { path: '^functions/core/' },
      to: {
        path: '^(?!functions/core/)(bin|cli|functions|lib|local|test)/|node_modules/@aws-sdk/|^(node:)?(fs|http|https|net|child_process|os|process|timers)(/|$)',
      },
    },
    {
      name: 'adapters-know-core-only',
      severity: 'error',
      from: { path: '^functions/adapters/' },
      to: { path: '^(bin|cli|lib|local|test)/|^functions/(?!core/|adapters/)' },
    },
    {
      name: 'runtime-knows-nobody',
      severity: 'error',
      from: { path: '^functions/runtime/' },
      to: { path: '^(bin|cli|lib|local|test)/|^functions/(?!runtime/)' },
    },
    {
      name: 'no-function-imports-another',
      severity: 'error',
      from: { path: `^functions/(${functionFolders})/` },
      to: { path: `^(bin|cli|lib|local|test)/|^functions/(${functionFolders})/`, pathNot: '^functions/$1/' },
    },
    {
      name: 'lib-knows-core-only',
      comment: 'lib refers to handlers by path',
      severity: 'error',
      from: { path: '^lib/' },
      to: { path: '^(bin|cli|local|test)/|^functions/(?!core/)' },
    },
    {
      name: 'local-runs-what-lib-made',
      comment: 'local reads the templates, never the code that makes them',
      severity: 'error',
      from: { path: '^local/' },
      to: { path: '^(bin|cli|lib|test)/' },
    },
    {
      name: 'cli-stands-on-functions',
      severity: 'error',
      from: { path: '^cli/' },
      to: { path: '^(bin|lib|local|test)/' },
    },
    {
      name: 'examples-use-what-users-see',
      severity: 'error',
      from: { path: '^examples/' },
      to: { path: '^(bin|cli|functions|local|test)/|^lib/(?!index\\.ts)' },
    },
    {
      name: 'nothing-imports-examples',
      severity: 'error',
      from: { pathNot: '^(examples|test)/' },
      to: { path: '^examples/' },
    },
    { name: 'nothing-imports-tests', severity: 'error', from: { pathNot: '^test/' }, to: { path: '^test/' } },
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
