import { compile } from 'json-schema-to-typescript';
import { type DetailType, detailTypes, eventSource } from '../../functions/bus/event-types.ts';
import { detailJsonSchema, schemaName } from './event-json-schemas.ts';
import { writeOrCheck } from './write-or-check.ts';

// Writes schemas/*.json and schemas/sms-events.d.ts from the details in functions/bus. With --check, it only reports whether they are up
// to date.
const all = Object.values(detailTypes);
const typeName = (detailType: DetailType) => detailType.replaceAll(/[^A-Za-z]/g, '');

async function typeOf(detailType: DetailType): Promise<string> {
  const { $id: _id, title: _title, ...schema } = detailJsonSchema(detailType);
  const draft = JSON.parse(JSON.stringify(schema));
  const options = { bannerComment: '', additionalProperties: false, style: { singleQuote: true } };
  return compile(draft, typeName(detailType), options);
}

const declarations = `// Made by tools/generate/write-event-schemas.ts; do not edit.

${(await Promise.all(all.map(typeOf))).join('\n')}
/** What the event of each detail type holds, by \`detail-type\`. */
export interface SmsEventDetails {
${all.map((detailType) => `  '${detailType}': ${typeName(detailType)};`).join('\n')}
}

/** An event as EventBridge hands it to a target. */
export type SmsEvent<T extends keyof SmsEventDetails = keyof SmsEventDetails> = {
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
    detail: SmsEventDetails[K];
  };
}[T];
`;

const schemas = all.map((detailType) => {
  const text = `${JSON.stringify(detailJsonSchema(detailType), null, 2)}\n`;
  return [`schemas/${schemaName(detailType)}.json`, () => text] as const;
});
writeOrCheck(
  { ...Object.fromEntries(schemas), 'schemas/sms-events.d.ts': () => declarations },
  'event-schemas',
);
