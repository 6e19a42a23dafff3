import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { compile } from 'json-schema-to-typescript';
import { type DetailType, detailTypes, eventSource } from '../../events/event-types.ts';
import { examples } from '../../events/examples.ts';
import { keywordsJsonSchema } from '../../functions/history/index.ts';
import project from '../../package.json' with { type: 'json' };
import { adrIndex, readDecisions } from './adr-index.ts';
import { cliReference } from './cli-reference.ts';
import { conformanceTable, heldAgainst } from './conformance.ts';
import { contractJsonSchema, extendsSchema, propertiesOf, wholeSchema } from './contract-json-schema.ts';
import { contractReference, withGenerated } from './contract-reference.ts';
import { exampleTable, fixedTable, settingsTable, sizesTable } from './cost-tables.ts';
import { eventFields } from './event-fields.ts';
import { detailJsonSchema, schemaName } from './event-json-schemas.ts';
import { llmsIndex, readSections } from './llms.ts';
import { metricsReference } from './metrics-reference.ts';
import { openApiDocument } from './openapi-document.ts';
import { outputsReference } from './outputs-reference.ts';
import { fieldTable, presetLists, providerPages, readPresets } from './preset-lists.ts';
import { settingsReference } from './settings-reference.ts';
import { wordsOfPresets } from './words-of-presets.ts';

// Writes the files that are made from schemas. With --check, it only reports those that are out of date, and sets exit code 1.
const all = Object.values(detailTypes);
const typeName = (detailType: DetailType) => detailType.replaceAll(/[^A-Za-z]/g, '');

async function typeOf(detailType: DetailType): Promise<string> {
  const { $id: _id, title: _title, ...schema } = detailJsonSchema(detailType);
  const draft = JSON.parse(JSON.stringify(schema));
  const options = { bannerComment: '', additionalProperties: false, style: { singleQuote: true } };
  const text = await compile(draft, typeName(detailType), options);
  // A handler names it Details['...'].
  return text.replaceAll(/^export /gm, '');
}

const declarations = `// Made by tools/generate/write-generated.ts; do not edit.

${(await Promise.all(all.map(typeOf))).join('\n')}
/** The detail of each event, by its \`detail-type\`. */
export interface Details {
${all.map((detailType) => `  '${detailType}': ${typeName(detailType)};`).join('\n')}
}

/** An event as EventBridge delivers it to a target. */
export type SmsEvent<T extends keyof Details = keyof Details> = {
  [K in T]: {
    version: string;
    id: string;
    source: '${eventSource}';
    account: string;
    /** When it was published. */
    time: string;
    region: string;
    resources: string[];
    'detail-type': K;
    detail: Details[K];
  };
}[T];
`;

const json = (schema: unknown) => `${JSON.stringify(schema, null, 2)}\n`;
const whole = wholeSchema();
const documented = { ...whole, properties: { extends: extendsSchema, ...propertiesOf(whole) } };

/** The new text by path in the repository; one that is a part of its file is made from the text before. */
const files: Readonly<Record<string, string | ((before: string) => string)>> = {
  'schemas/contract.schema.json': json(contractJsonSchema()),
  'schemas/keywords.schema.json': json(keywordsJsonSchema()),
  'docs/reference/contract.md': (before) => withGenerated(before, 'fields', contractReference(documented)),
  'docs/providers/index.md': (before) =>
    Object.entries({
      presets: presetLists(readPresets()),
      fields: fieldTable(readPresets()),
      conformance: conformanceTable(),
    }).reduce((page, [name, part]) => withGenerated(page, name, part), before),
  ...Object.fromEntries(
    providerPages().map((page) => [
      `docs/providers/${page}`,
      (before: string) => withGenerated(before, 'held against', heldAgainst(page)),
    ]),
  ),
  'docs/reference/openapi.json': json(openApiDocument()),
  'docs/reference/settings.md': (before) => withGenerated(before, 'settings', settingsReference()),
  'docs/reference/cost.md': (before) =>
    Object.entries({
      sizes: sizesTable(),
      example: exampleTable(),
      fixed: fixedTable(),
      settings: settingsTable(),
    }).reduce((page, [name, part]) => withGenerated(page, name, part), before),
  'docs/reference/events.md': (before) => withGenerated(before, 'fields', eventFields()),
  'docs/reference/metrics.md': (before) => withGenerated(before, 'metrics', metricsReference()),
  'docs/reference/outputs.md': (before) => withGenerated(before, 'outputs', outputsReference()),
  ...Object.fromEntries(
    all.flatMap((detailType) => [
      [`schemas/${schemaName(detailType)}.json`, json(detailJsonSchema(detailType))],
      [`schemas/examples/${schemaName(detailType)}.json`, json(examples[detailType])],
    ]),
  ),
  'docs/adr/index.md': adrIndex(readDecisions()),
  'docs/reference/cli.md': cliReference(),
  'events/details.ts': declarations,
  'discovery/preset-words.json': json(wordsOfPresets()),
  // The last, because it reads the pages.
  'llms.txt': () => llmsIndex('SMS event pipeline', project.description, readSections()),
};

const isCheck = process.argv.includes('--check');
for (const [name, made] of Object.entries(files)) {
  const file = new URL(`../../${name}`, import.meta.url);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const text = typeof made === 'string' ? made : made(before);
  if (!isCheck) {
    mkdirSync(new URL('.', file), { recursive: true });
    writeFileSync(file, text);
  } else if (before !== text) {
    console.error(`${name} is out of date: run "npm run generate" and commit the result.`);
    process.exitCode = 1;
  }
}
