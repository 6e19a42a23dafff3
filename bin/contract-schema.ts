import { readFileSync, writeFileSync } from 'node:fs';
import { contractJsonSchema } from '../functions/core/contract/parse.ts';

// Writes contract.schema.json from the schema in functions/core/contract; with --check only says whether it is up to date.
const file = new URL('../contract.schema.json', import.meta.url);
const text = `${JSON.stringify(contractJsonSchema(), null, 2)}\n`;
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  console.error('contract.schema.json is out of date: run "npm run contract:schema" and commit the result.');
  process.exitCode = 1;
}
