import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** A file of the AWS SDK that the bundles include in a smaller form. */
export interface SdkTrim {
  /** The path below node_modules, with `/`; `*` stands for any part of one name. */
  readonly file: string;
  /** The number of bundled files that match; 1 by default. */
  readonly files?: number;
  /** The reason why no function needs the removed parts. */
  readonly why: string;
  /** Returns the replacement of the module's text, which must differ from it. */
  readonly replacement: (original: string) => string;
}

const smithy = '@smithy/core/dist-es/submodules';
const client = '@aws-sdk/core/dist-es/submodules/client';

const leftOut = (what: string) =>
  `throw new Error('${what}: left out of the bundle, see lib/bundling/sdk-trims.ts');`;

/** A module whose class throws if a setting needs it after all. */
const withoutClass = (name: string) => () => `export class ${name} { constructor() { ${leftOut(name)} } }`;

/** The parts of the AWS SDK that the bundles leave out; docs/adr/0005 says how that is kept safe. */
export const sdkTrims: readonly SdkTrim[] = [
  {
    file: '@aws-sdk/credential-provider-node/dist-es/index.js',
    why: 'Lambda gives credentials in the environment: the first link of the chain. No other link finds anything there.',
    replacement: () => "export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';",
  },
  {
    file: `${smithy}/config/node-config-provider/fromSharedConfigFiles.js`,
    why: 'Lambda has no ~/.aws: settings are in the environment or given to the client.',
    replacement: () => `
      import { CredentialsProviderError } from '../property-provider/CredentialsProviderError';
      export const fromSharedConfigFiles = () => async () => {
        throw new CredentialsProviderError('Shared config files: left out of the bundle');
      };`,
  },
  {
    file: `${smithy}/checksum/sha256/Sha256Node.js`,
    why: 'An HMAC with a key object takes Node.js 24, making it included, a sixth of the time that it takes with bytes as the key. Each request is signed with one.',
    replacement: () => `
      import { createHash, createHmac, createSecretKey } from 'node:crypto';
      export class Sha256Node {
        digestLength = 32;
        constructor(secret) { this.secret = secret; this.reset(); }
        reset() {
          this.hash = this.secret
            ? createHmac('sha256', createSecretKey(Buffer.from(this.secret)))
            : createHash('sha256');
        }
        update(data) { this.hash.update(data); }
        async digest() { return new Uint8Array((this.secret ? this.hash : this.hash.copy()).digest()); }
      }`,
  },
  {
    file: `${smithy}/retry/util-retry/AdaptiveRetryStrategy.js`,
    why: 'The clients retry in the standard mode; AWS_RETRY_MODE is not set.',
    replacement: withoutClass('AdaptiveRetryStrategy'),
  },
  {
    file: `${smithy}/event-streams/index.js`,
    why: 'No operation of the services that are called streams events.',
    replacement: withoutClass('EventStreamSerde'),
  },
  {
    file: '@smithy/signature-v4/dist-es/HeaderFormatter.js',
    why: 'It writes the headers of event streams.',
    replacement: () => 'export class HeaderFormatter {}',
  },
  {
    file: '@aws-sdk/signature-v4-multi-region/dist-es/index.js',
    why: 'EventBridge needs SigV4A for global endpoints alone, and it is not installed.',
    replacement: () => "export { SignatureV4 as SignatureV4MultiRegion } from '@smithy/signature-v4';",
  },
  {
    file: `${client}/middleware-logger/loggerMiddleware.js`,
    why: 'The clients have no logger, and for none it writes out each input and output.',
    replacement: () => `
      export const getLoggerPlugin = () => ({ applyToStack: () => {} });
      export const loggerMiddleware = undefined, loggerMiddlewareOptions = undefined;`,
  },
  {
    file: `${client}/middleware-user-agent/check-features.js`,
    why: 'It adds to the user agent which features of the SDK are in use.',
    replacement: () => 'export const checkFeatures = async () => {};',
  },
  {
    file: '@aws-sdk/*/package.json',
    files: 6,
    why: 'Of a manifest the version is read, for the user agent.',
    replacement: (manifest) => JSON.stringify({ version: JSON.parse(manifest).version }),
  },
];

const advice =
  'Take the trim out of lib/bundling/sdk-trims.ts, synthesize, and look in cdk.out/.build/meta.json for its replacement; then fix or remove the trim.';

/**
 * Bundles smaller forms of files of the AWS SDK. A new version of the SDK may move a file or write it differently, and silently bring back
 * the removed parts. So the build fails if a trim matches another number of files than expected, or changes nothing in one.
 */
export function trimSdk(trims: readonly SdkTrim[]): Plugin {
  return {
    name: 'trim-sdk',
    setup: ({ onLoad, onEnd }) => {
      const matched = new Map(trims.map((trim) => [trim, new Set<string>()]));
      for (const trim of trims)
        onLoad({ filter: pathOf(trim) }, async ({ path }) => {
          matched.get(trim)?.add(path);
          const original = await readFile(path, 'utf8');
          const contents = trim.replacement(original);
          if (contents === original)
            return buildErrors(`Trim of ${trim.file} changes nothing in ${path}: ${advice}`);
          return { contents, loader: path.endsWith('.json') ? 'json' : 'js' };
        });
      onEnd(({ errors }) =>
        errors.length > 0
          ? undefined
          : buildErrors(
              ...[...matched]
                .filter(([{ files = 1 }, paths]) => paths.size !== files)
                .map(
                  ([{ file, files = 1 }, paths]) =>
                    `Trim of ${file} matches ${paths.size} files that are bundled, not ${files} (${[...paths].join(', ')}): ${advice}`,
                ),
            ),
      );
    },
  };
}

const buildErrors = (...texts: readonly string[]) => ({ errors: texts.map((text) => ({ text })) });

/** Matches the path of a trim's file, on any system. */
function pathOf({ file }: SdkTrim): RegExp {
  const parts = file.split('/').map((part) => part.replaceAll('.', '\\.').replaceAll('*', '[^\\\\/]*'));
  return new RegExp(['', 'node_modules', ...parts].join('[\\\\/]').concat('$'));
}
