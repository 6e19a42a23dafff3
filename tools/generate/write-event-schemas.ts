import { readFileSync, writeFileSync } from 'node:fs';
import { compile } from 'json-schema-to-typescript';
import { type DetailType, detailTypes, eventSource } from '../../functions/bus/event-types.ts';
import { detailJsonSchema, schemaName } from './event-json-schemas.ts';

// Writes schemas/*.json and schemas/sms-events.d.ts from the details in functions/bus. With --check, it only reports whether they are up
// to date.
const folder = new URL('../../schemas/', import.meta.url);
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

const files = new Map([
  ...all.map((detailType) => {
    const text = `${JSON.stringify(detailJsonSchema(detailType), null, 2)}\n`;
    return [`${schemaName(detailType)}.json`, text] as const;
  }),
  ['sms-events.d.ts', declarations] as const,
]);
for (const [name, text] of files) {
  const file = new URL(name, folder);
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (read(file) !== text) {
    console.error(`schemas/${name} is out of date: run "npm run event-schemas" and commit the result.`);
    process.exitCode = 1;
  }
}

function read(file: URL): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
