import fc from 'fast-check';
import { hostileTexts } from './hostile-values.ts';

const foreignSignatures = fc.constantFrom(
  'v1,',
  'v1',
  'v1a,AAAA',
  'v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  'sha1=',
  'sha256=',
  'SHA256=',
  'Token ',
  'Bearer ',
  `${'v1,x '.repeat(500)}`,
  ' ',
  ',',
  ', ',
);

/** A request that is being changed; undefined: it has no headers, or no body. */
export interface Changing {
  headers: Record<string, string> | undefined;
  body: Buffer | undefined;
  /** Whether API Gateway says of the body that it is base64 where it is not, or the other way round. */
  flipsFlag: boolean;
}

/** Changes of the value of a header; the text is any. API Gateway joins a header that came twice with a comma. */
const valueChanges = {
  empty: () => '',
  double: (value: string) => `${value},${value}`,
  truncate: (value: string) => value.slice(0, -1),
  replace: (_: string, text: string) => text,
  append: (value: string, text: string) => value + text,
  prepend: (value: string, text: string) => text + value,
  join: (value: string, text: string) => `${text},${value}`,
  list: (value: string, text: string) => `${text} ${value}`,
} as const;

const headerChange = fc.record({
  do: fc.constantFrom('drop', 'upper-case', ...(Object.keys(valueChanges) as (keyof typeof valueChanges)[])),
  header: fc.nat(3),
  text: fc.oneof(hostileTexts, foreignSignatures),
});

const otherChange = fc.oneof(
  fc.record({
    do: fc.constant('flip'),
    header: fc.nat(3),
    at: fc.nat(80),
    by: fc.integer({ min: 1, max: 127 }),
  }),
  fc.record({
    do: fc.constant('respell'),
    encoding: fc.constantFrom('hex', 'base64', 'base64url', 'unpadded', 'padded', 'upper-case'),
  }),
  fc.record({ do: fc.constant('body'), body: fc.uint8Array({ maxLength: 32 }) }),
  fc.record({ do: fc.constantFrom('move-body-into-id', 'flip-flag', 'no-headers', 'no-body') }),
);

type ValueOf<A> = A extends fc.Arbitrary<infer V> ? V : never;

/** Something done to a request after it was signed. */
export type Change = Readonly<ValueOf<typeof headerChange> | ValueOf<typeof otherChange>>;
export const changes: fc.Arbitrary<Change> = fc.oneof(
  { weight: 2, arbitrary: headerChange },
  { weight: 4, arbitrary: otherChange },
);

export function applyChange(request: Changing, change: Change): void {
  const { headers = {}, body = Buffer.alloc(0) } = request;
  switch (change.do) {
    case 'body':
      request.body = Buffer.from(change.body);
      return;
    case 'no-body':
      request.body = undefined;
      return;
    case 'no-headers':
      request.headers = undefined;
      return;
    case 'flip-flag':
      request.flipsFlag = true;
      return;
    case 'move-body-into-id':
      if (headers['webhook-id'] === undefined) return;
      headers['webhook-id'] += `.${headers['webhook-timestamp']}`;
      request.body = body.subarray(body.indexOf('.') + 1);
      return;
    case 'respell': {
      const [, signature] = headers['webhook-signature']?.split(',') ?? [];
      if (signature !== undefined)
        headers['webhook-signature'] = `v1,${respelled(signature, change.encoding)}`;
      return;
    }
  }
  const names = Object.keys(headers);
  const name = names[change.header % Math.max(1, names.length)];
  if (name === undefined) return;
  const value = headers[name] ?? '';
  delete headers[name];
  if (change.do === 'upper-case') headers[name.toUpperCase()] = value;
  else if (change.do === 'flip') headers[name] = flipped(value, change.at, change.by);
  else if (change.do !== 'drop') headers[name] = valueChanges[change.do](value, change.text);
}

function flipped(value: string, at: number, by: number): string {
  const bytes = Buffer.from(value, 'latin1');
  const index = at % Math.max(1, bytes.length);
  bytes[index] = (bytes[index] ?? 0) ^ by;
  return bytes.toString('latin1');
}

function respelled(signature: string, encoding: Extract<Change, { do: 'respell' }>['encoding']): string {
  if (encoding === 'unpadded') return signature.replaceAll('=', '');
  if (encoding === 'padded') return `${signature}=`;
  if (encoding === 'upper-case') return signature.toUpperCase();
  return Buffer.from(signature, 'base64').toString(encoding);
}
