import type { Contract } from '../../functions/core/contract/contract.ts';
import { parseBody } from '../../functions/core/events/body.ts';
import type { Capture } from '../capture.ts';
import { headerNamed } from '../capture-parts.ts';

type BodyFormat = Contract['webhook']['bodyFormat'];

/** A captured request as the mapping is to read it. */
export interface CapturedBody {
  readonly bytes: Uint8Array;
  /** The id that its signature covers, where the scheme has one. */
  readonly signedId?: string;
  /** ISO 8601 in UTC. */
  readonly receivedAt: string;
}

export interface ParsedBodies {
  readonly format: BodyFormat;
  readonly isCertain: boolean;
  /** Those that could be read, and what they say. */
  readonly bodies: readonly { readonly captured: CapturedBody; readonly value: unknown }[];
}

/** Finds whether bodies are JSON or forms, by what they hold and by what their header says, and reads them. */
export function parseBodies(captures: readonly (readonly [Capture, CapturedBody])[]): ParsedBodies {
  const isJson = captures.filter(([, { bytes }]) => isStructured(bytes)).length;
  const saysForm = captures.filter(([{ headers }]) =>
    /form-urlencoded/i.test(headerNamed(headers, 'content-type') ?? ''),
  ).length;
  const format = isJson * 2 >= captures.length ? 'json' : 'form';
  return {
    format,
    isCertain: format === 'json' ? isJson === captures.length : saysForm === captures.length,
    bodies: captures.flatMap(([, captured]) => {
      const parsed = parseBody(format, captured.bytes);
      return parsed.readable ? [{ captured, value: parsed.value }] : [];
    }),
  };
}

function isStructured(bytes: Uint8Array): boolean {
  const parsed = parseBody('json', bytes);
  return parsed.readable && typeof parsed.value === 'object' && parsed.value !== null;
}
