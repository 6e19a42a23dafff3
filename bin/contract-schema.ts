import { readFileSync, writeFileSync } from 'node:fs';
import { contractJsonSchema } from '../functions/core/contract/parse.ts';
import { keywordsJsonSchema } from '../functions/core/opt-out/keyword-list.ts';

// Writes the schemas that editors check contract.json and keywords.json by; with --check only says whether they are up to date.
const schemas = {
  'contract.schema.json': contractJsonSchema(),
  'keywords.schema.json': keywordsJsonSchema(),
};
for (const [name, schema] of Object.entries(schemas)) {
  const file = new URL(`../${name}`, import.meta.url);
  const text = `${JSON.stringify(schema, null, 2)}\n`;
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${name} is out of date: run "npm run contract:schema" and commit the result.`);
    process.exitCode = 1;
  }
}
