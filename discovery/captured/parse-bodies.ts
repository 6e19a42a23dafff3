import { parseBody } from '../../contract/events/body.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { type BodyKind, bodyKindOf, type CharsetGuess, guessCharset } from './body-kind.ts';
import { type Capture, headerNamed } from './capture.ts';

type BodyFormat = Contract['webhook']['bodyFormat'];

/** The part of a captured request that the mapping reads. */
export interface CapturedBody {
  readonly bytes: Uint8Array;
  /** The id that the signature covers, if the scheme has one. */
  readonly signedId?: string;
  /** ISO 8601 in UTC. */
  readonly receivedAt: string;
  /** Whether the capture says when it was received. Otherwise the time is that of the discovery. */
  readonly isReceiptKnown: boolean;
}

export interface ParsedBodies {
  readonly format: BodyFormat;
  readonly isCertain: boolean;
  /** The charset of bodies that are not UTF-8; left out if all are, or the contract's charset reads them. */
  readonly charset?: CharsetGuess;
  /** What the bodies are that cannot be parsed, with their number. */
  readonly others: ReadonlyMap<BodyKind, number>;
  /** The bodies that can be parsed, with their content. */
  readonly bodies: readonly { readonly captured: CapturedBody; readonly value: unknown }[];
}

/**
 * Decides by content and header whether bodies are JSON or forms, and parses them.
 *
 * @param known the charset that the contract names, if it names one
 */
export function parseBodies(
  captures: readonly (readonly [Capture, CapturedBody])[],
  known: Contract['webhook']['charset'],
): ParsedBodies {
  const kinds = captures.map(([capture, { bytes }]) => bodyKindOf(capture, bytes));
  const count = (kind: BodyKind) => kinds.filter((one) => one === kind).length;
  const saysForm = captures.filter(
    ([{ headers, method }]) =>
      method === 'GET' || /form-urlencoded/i.test(headerNamed(headers, 'content-type') ?? ''),
  ).length;
  const format = count('json') > 0 && count('json') >= count('form') ? 'json' : 'form';
  const chosen = captures.filter((_, index) => kinds[index] === format);
  const parse = (charset: Contract['webhook']['charset']) =>
    chosen.map(([, captured]) => ({
      captured,
      parsed: parseBody({ bodyFormat: format, ...(charset !== undefined && { charset }) }, captured.bytes),
    }));
  const asKnown = parse(known);
  const isKnownRight = asKnown.every(({ parsed }) => parsed.kind === 'parsed');
  const charset = isKnownRight
    ? undefined
    : guessCharset(chosen.map(([capture, { bytes }]) => [capture, bytes] as const));
  const outcomes = charset === undefined ? asKnown : parse(charset.charset);
  const others = new Map<BodyKind, number>();
  const note = (kind: BodyKind) => others.set(kind, (others.get(kind) ?? 0) + 1);
  for (const kind of kinds) if (kind !== format) note(kind);
  for (const { parsed } of outcomes)
    if (parsed.kind !== 'parsed') note(format === 'json' ? 'broken-json' : 'text');
  return {
    format,
    isCertain: format === 'json' ? count('json') === captures.length : saysForm === captures.length,
    ...(charset !== undefined && { charset }),
    others,
    bodies: outcomes.flatMap(({ captured, parsed }) =>
      parsed.kind === 'parsed' ? [{ captured, value: parsed.value }] : [],
    ),
  };
}
