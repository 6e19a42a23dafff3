import { compileSignedContent } from '../../../functions/core/signature/signed-content.ts';
import type { ReadableCapture } from './readable-capture.ts';

/** One way in which a signature may cover the body. */
export interface BodyForm {
  /** Its part of the template. */
  readonly template: string;
  /** One character a byte. */
  readonly content: string;
}

/** The ways in which a signature may cover the body of one capture. */
export interface BodyForms {
  /** As it came, or its parameters. */
  readonly plain: readonly BodyForm[];
  /** As the hash that most services take. */
  readonly hashed: readonly BodyForm[];
  readonly unusual: readonly BodyForm[];
}

const hashed = ['{body:sha256:hex}', '{body:sha256:base64}', '{body:sha256}'];
const otherHashes = ['sha512', 'sha1', 'sha384'].flatMap((hash) =>
  ['hex', 'base64', ''].map((encoding) => `{body:${hash}${encoding && `:${encoding}`}}`),
);

export function bodyForms({ capture }: ReadableCapture): BodyForms {
  const values = { id: undefined, timestamp: undefined, url: capture.url, header: () => undefined };
  const write = (template: string): BodyForm => {
    const bytes = compileSignedContent(template)(capture.body, values) ?? new Uint8Array();
    return { template, content: Buffer.from(bytes).toString('latin1') };
  };
  // The body as it is comes before a form, which may be the same.
  const [forms, withUrl] = isForm(capture.body)
    ? [
        ['{form}', '{form:query}'],
        ['{url}?{form}', '{url}?{form:query}'],
      ]
    : [[], []];
  return {
    plain: ['{body}', ...forms].map(write),
    hashed: hashed.map(write),
    unusual: [...withUrl, ...otherHashes].map(write),
  };
}

/** Whether a body may be read as form parameters, whatever its content type says. */
function isForm(body: Uint8Array): boolean {
  return /^[^\s={}[\]<>"]+=/.test(Buffer.from(body.subarray(0, 256)).toString('latin1'));
}
