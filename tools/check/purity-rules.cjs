/**
 * Checks that files of rules reach neither an SDK nor I/O when they run, through any chain of imports. Imports of types alone do not count.
 *
 * @type {import('dependency-cruiser').IConfiguration}
 */
module.exports = {
  forbidden: [
    {
      name: 'rules-reach-no-sdk',
      comment:
        'SDKs and I/O belong to handlers, stores, clients, queues, and the door io.ts of a module. util-dynamodb only translates values.',
      severity: 'error',
      from: {
        path: '^(functions|contract|discovery)/',
        pathNot: '(handler|handler-settings|-store|-client|-queue|/io)\\.ts$',
      },
      to: {
        path: 'node_modules/(@aws-sdk/(?!util-dynamodb/)|@middy/)|^(node:)?(fs|http|https|tls|dns|dgram|child_process|os|process|timers)(/|$)',
        reachable: true,
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: false,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
