import * as z from 'zod';
import { parseJson } from '../../../contract/text/json.ts';
import {
  type BusEvent,
  type DetailType,
  detailSchemas,
  detailTypes,
  eventSource,
} from '../../publish/shapes.ts';
import { GiveUpError } from './work-messages.ts';

const envelope = z.object({
  source: z.literal(eventSource),
  'detail-type': z.enum(Object.values(detailTypes)),
  detail: z.looseObject({ pipeline: z.string() }),
  /** When it was published; ISO 8601 in UTC, to the second. */
  time: z.iso.datetime(),
});

/** An event of the bus, as a rule sends it to a queue. */
export type BusMessage<T extends DetailType = DetailType> = Extract<BusEvent, { detailType: T }> & {
  readonly detail: { readonly pipeline: string };
  readonly publishedAt: string;
};

/** Thrown for a message that is no event of this pipeline. It names fields, never their values. */
export class BusMessageError extends GiveUpError {
  override readonly name = 'BusMessageError';
}

/**
 * Reads the body of a queue message.
 *
 * @throws BusMessageError if it is no event, or has another detail type
 */
export function readBusMessage<T extends DetailType>(body: string, expected: readonly T[]): BusMessage<T> {
  const parsed = envelope.safeParse(parseJson(body));
  if (!parsed.success) throw new BusMessageError(`no event of the pipeline: ${fieldsOf(parsed.error)}`);
  const { 'detail-type': detailType, time } = parsed.data;
  if (!expected.some((type) => type === detailType))
    throw new BusMessageError(`the rule sent "${detailType}", which this function does not accept`);
  const { pipeline } = parsed.data.detail;
  const detail = detailSchemas[detailType].safeParse(parsed.data.detail);
  if (!detail.success) throw new BusMessageError(`detail of "${detailType}": ${fieldsOf(detail.error)}`);
  // Both come from one schema. TypeScript cannot infer that from the lookup.
  return { detailType, detail: { pipeline, ...detail.data }, publishedAt: time } as BusMessage<T>;
}

function fieldsOf(error: z.ZodError): string {
  return error.issues.map(({ path, code }) => `${path.join('.') || 'body'} (${code})`).join(', ');
}
