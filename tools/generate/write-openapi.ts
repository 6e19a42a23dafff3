import { readFileSync, writeFileSync } from 'node:fs';
import { openApiDocument } from './openapi-document.ts';

// Writes docs/openapi.json from the schemas and routes of the query API. With --check, it only reports whether it is up to date.
const file = new URL('../../docs/openapi.json', import.meta.url);
const text = `${JSON.stringify(openApiDocument(), null, 2)}\n`;
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  console.error('docs/openapi.json is out of date: run "npm run openapi" and commit the result.');
  process.exitCode = 1;
}
