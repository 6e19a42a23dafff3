import { keywordsJsonSchema } from '../../lib/settings/keyword-list.ts';
import { contractJsonSchema, extendsSchema, propertiesOf, wholeSchema } from './contract-json-schema.ts';
import { contractReference, withGenerated } from './contract-reference.ts';
import { writeOrCheck } from './write-or-check.ts';

// Writes the schemas for editors of contract.json and keywords.json, and the reference of the contract's fields. With --check, it only
// reports whether they are up to date.
const json = (schema: unknown) => () => `${JSON.stringify(schema, null, 2)}\n`;
const whole = wholeSchema();
const documented = { ...whole, properties: { extends: extendsSchema, ...propertiesOf(whole) } };
writeOrCheck(
  {
    'contract.schema.json': json(contractJsonSchema()),
    'keywords.schema.json': json(keywordsJsonSchema()),
    'docs/contract.md': (before) => withGenerated(before, 'fields', contractReference(documented)),
  },
  'contract:schema',
);
