import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import type { openApiDocument } from './openapi-document.ts';

const header = [
  '// Made by @hey-api/openapi-ts (MIT) from docs/reference/openapi.json; do not edit.',
  // The library's own code does not compile with exactOptionalPropertyTypes.
  '// @ts-nocheck',
];

type Document = ReturnType<typeof openApiDocument>;

/** Generates the client of the query API. @returns the text of each file, by its path in the folder */
export async function generateQueryClient(document: Document): Promise<Readonly<Record<string, string>>> {
  const path = mkdtempSync(join(tmpdir(), 'sms-query-client-'));
  await createClient({
    input: forClient(document),
    output: { path, module: { extension: '.ts' }, header },
    logs: { level: 'silent', file: false },
    plugins: [
      '@hey-api/client-fetch',
      '@hey-api/typescript',
      {
        name: '@hey-api/sdk',
        auth: false,
        client: false,
        paramsStructure: 'flat',
        operations: { strategy: 'single', containerName: 'QueryClient', methods: 'instance' },
      },
    ],
  });
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = names.map((file) => {
    const name = file.slice(path.length + 1);
    const text = readFileSync(file, 'utf8');
    return [name, name === 'sdk.gen.ts' ? withTexts(withQueryErrors(text)) : text];
  });
  rmSync(path, { recursive: true });
  return Object.fromEntries(files);
}

/** Types the error of each method as `QueryError`, which createClient makes of it. */
function withQueryErrors(methods: string): string {
  return methods
    .replaceAll(/(?<=Responses, )\w+Errors(?=, ThrowOnError>)/g, 'QueryError')
    .replaceAll(/\b\w+Errors, /g, '')
    .replace(/^import /m, "import type { QueryError } from '../query-error.ts';\nimport ");
}

/** Makes the methods that answer CSV read a text. All others read JSON. */
function withTexts(methods: string): string {
  return methods.replaceAll(/url: '[^']+\.csv',/g, "$& parseAs: 'text',");
}

/**
 * Returns the document as a user of the client sees the API. The client answers every error with a problem, also those of API Gateway, and has no
 * cache for which it would send If-None-Match.
 */
function forClient(document: Document): Record<string, unknown> {
  const copy = JSON.parse(JSON.stringify(document));
  for (const operation of Object.values<Record<string, Operation>>(copy.paths).flatMap(Object.values)) {
    operation.parameters = operation.parameters?.filter(
      (parameter: { in: string }) => parameter.in !== 'header',
    );
    delete operation.responses['304'];
  }
  for (const response of Object.values<{ content?: object }>(copy.components.responses))
    if (response.content !== undefined)
      response.content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
  return copy;
}

interface Operation {
  parameters?: { in: string }[] | undefined;
  responses: Record<string, unknown>;
}
