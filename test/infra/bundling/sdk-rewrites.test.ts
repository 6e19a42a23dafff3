import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { compile } from '../../../lib/bundling/build-functions.ts';
import { errorClassesByFunction, literalKeys, withMethods } from '../../../lib/bundling/sdk-rewrites.ts';
import { type SdkTrim, sdkTrims, trimSdk } from '../../../lib/bundling/sdk-trims.ts';
import { newFolder } from '../support/built-app.ts';

const root = resolve(import.meta.dirname, '../../..');
const require = createRequire(import.meta.url);
const clients = ['dynamodb', 'eventbridge', 'secrets-manager', 'sns', 'sqs'] as const;
const schemas = '@aws-sdk/*/dist-es/schemas/schemas_0.js';
const errors = '@aws-sdk/*/dist-es/models/errors.js';
const rewrites = sdkTrims.filter(({ file }) => file === schemas || file === errors);

/** Reads the files of schemas and errors of each client. */
const ofClients = clients.flatMap((client) =>
  [schemas, errors].map(
    (file, index) =>
      `export * as '${client}-${['schemas', 'errors'][index]}' from './node_modules/${file.replace('*', `client-${client}`)}';`,
  ),
);

/** Everything that these files export, bundled with these trims. */
async function exportsWith(trims: readonly SdkTrim[]) {
  const { outputFiles } = await compile({
    absWorkingDir: root,
    stdin: { contents: ofClients.join('\n'), resolveDir: root },
    plugins: [trimSdk(trims)],
  });
  const path = join(newFolder(), 'exports.cjs');
  writeFileSync(path, outputFiles.find((file) => file.path.endsWith('.js'))?.contents ?? '');
  return require(path);
}

/** A schema as plain values: what its functions refer to in their place, and what was there before by its number. */
function plain(value: unknown, known = new Map<unknown, number>()): unknown {
  if (typeof value === 'function') return plain(value(), known);
  if (typeof value !== 'object' || value === null) return value;
  const number = known.get(value);
  if (number !== undefined) return `the ${number}th`;
  known.set(value, known.size);
  return Array.isArray(value)
    ? value.map((part) => plain(part, known))
    : Object.entries(value).map(([key, part]) => [key, plain(part, known)]);
}

/** All names of fields that any error of a client has. */
const fieldsOf = (schemas: Readonly<Record<string, unknown>>) =>
  Object.values(schemas).flatMap((schema) => (Array.isArray(schema) && schema[0] === -3 ? schema[4] : []));

describe.each(clients)('rewritten modules of %s', (client) => {
  let full: Awaited<ReturnType<typeof exportsWith>>;
  let rewritten: Awaited<ReturnType<typeof exportsWith>>;
  beforeAll(async () => {
    full = await exportsWith([]);
    rewritten = await exportsWith(rewrites);
  });

  it('describe every operation, shape and trait as the SDK does', () => {
    const described = (from: typeof full) =>
      Object.entries<unknown>(from[`${client}-schemas`])
        .filter(([, value]) => Array.isArray(value))
        .map(([name, value]) => [name, plain(value)]);
    expect(described(full).length).toBeGreaterThan(50);
    expect(described(rewritten)).toEqual(described(full));
  });

  it('create every error as the SDK does', () => {
    const fields = Object.fromEntries(fieldsOf(full[`${client}-schemas`]).map((name) => [name, `a ${name}`]));
    const made = (from: typeof full, given: object) =>
      Object.entries<new (given: object) => Error>(from[`${client}-errors`]).map(([name, ErrorClass]) => {
        const error = new ErrorClass({ message: 'said', $metadata: { attempts: 1 }, ...given });
        return {
          name,
          own: Object.entries(error),
          text: String(error),
          shapeId: Object(ErrorClass).shapeId,
          isOfItsClass: error instanceof ErrorClass && error.constructor === ErrorClass,
        };
      });
    expect(made(full, fields).length).toBeGreaterThan(10);
    expect(made(rewritten, fields)).toEqual(made(full, fields));
    expect(made(rewritten, {})).toEqual(made(full, {}));
  });
});

describe('a rewrite', () => {
  it('keeps a class that does more than set its fields', () => {
    const path = join(root, 'node_modules/@aws-sdk/client-dynamodb/dist-es/models/errors.js');
    const one = 'ReplicatedWriteConflictException';
    expect(errorClassesByFunction(readFileSync(path, 'utf8'))).toMatch(
      new RegExp(`export class ${one} [\\s\\S]*\\$retryable = \\{\\}`),
    );
  });

  it.each([
    ['no class fits', errorClassesByFunction, 'export class A extends Other {}'],
    ['no key is a constant of the file', literalKeys, 'const a = [b]; export default { [a]: 1 };'],
    [
      'a method is missing',
      (text: string) => withMethods(text, { gone: '' }),
      'class A {\n    here() {\n    }\n}',
    ],
  ])('returns the text unchanged where %s, so that the build fails', (_, rewrite, text) => {
    expect(rewrite(text)).toBe(text);
  });
});
