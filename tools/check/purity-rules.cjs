const ports = '(handler|handler-settings|-store|-client|-queue|/io)\\.ts$';

/** Packages and modules of Node that compute only. Biome allows of `net` only what compares addresses. */
const packages =
  '@aws-lambda-powertools/jmespath|@date-fns/tz|@aws-sdk/util-dynamodb|libphonenumber-js|p-map|simple-statistics|zod';
const builtins = 'buffer|crypto|net|path|util|zlib';

/**
 * Checks that files of rules reach only what is listed here when they run, through any chain of imports. Imports of types alone do not count.
 *
 * @type {import('dependency-cruiser').IConfiguration}
 */
module.exports = {
  forbidden: [
    {
      name: 'rules-reach-only-what-computes',
      comment: 'SDKs and I/O belong to handlers, stores, clients, queues, and the door io.ts of a module.',
      severity: 'error',
      from: { path: '^(functions|events|contract|discovery)/', pathNot: ports },
      to: {
        pathNot: `^(functions|events|contract|discovery)/|^contract\\.json$|^node_modules/(${packages})/|^(${builtins})$`,
        reachable: true,
      },
    },
    {
      name: 'rules-reach-no-ports',
      severity: 'error',
      from: { path: '^(functions|events|contract|discovery)/', pathNot: ports },
      to: { path: `^(functions|events|contract|discovery)/.*${ports}`, reachable: true },
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
