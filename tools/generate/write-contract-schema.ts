import { readFileSync, writeFileSync } from 'node:fs';
import { keywordsJsonSchema } from '../../lib/settings/keyword-list.ts';
import { contractJsonSchema, extendsSchema, propertiesOf, wholeSchema } from './contract-json-schema.ts';
import { contractReference, withGenerated } from './contract-reference.ts';

// Writes the schemas for editors of contract.json and keywords.json, and the reference of the contract's fields. With --check, it only
// reports whether they are up to date.
const json = (schema: unknown) => () => `${JSON.stringify(schema, null, 2)}\n`;
const whole = wholeSchema();
const documented = { ...whole, properties: { extends: extendsSchema, ...propertiesOf(whole) } };
const files: Readonly<Record<string, (before: string) => string>> = {
  'contract.schema.json': json(contractJsonSchema()),
  'keywords.schema.json': json(keywordsJsonSchema()),
  'docs/contract.md': (before) => withGenerated(before, 'fields', contractReference(documented)),
};
for (const [name, write] of Object.entries(files)) {
  const file = new URL(`../../${name}`, import.meta.url);
  const before = readFileSync(file, 'utf8');
  const text = write(before);
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (before !== text) {
    console.error(`${name} is out of date: run "npm run contract:schema" and commit the result.`);
    process.exitCode = 1;
  }
}
