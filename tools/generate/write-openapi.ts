import { openApiDocument } from './openapi-document.ts';
import { writeOrCheck } from './write-or-check.ts';

// Writes docs/openapi.json from the schemas and routes of the query API. With --check, it only reports whether it is up to date.
writeOrCheck({ 'docs/openapi.json': () => `${JSON.stringify(openApiDocument(), null, 2)}\n` }, 'openapi');
