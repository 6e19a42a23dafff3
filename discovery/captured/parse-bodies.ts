import { type BodyRules, parseBody, readBeside, rulesOf } from '../../contract/events/body.ts';
import type { BesideBody } from '../../contract/events/request-values.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import type { WebhookMethod } from '../../contract/schema/signed-template.ts';
import { type BodyKind, bodyFormatOf, bodyKindOf, type CharsetGuess, guessCharset } from './body-kind.ts';
import { type Capture, headerNamed } from './capture.ts';

type Webhook = Contract['webhook'];
type BodyFormat = Webhook['bodyFormat'];

/** The part of a captured request that the mapping reads. */
export interface CapturedBody {
  readonly bytes: Uint8Array;
  readonly method: WebhookMethod;
  /** The query of the URL without its "?", and without a token. */
  readonly query: string;
  /** The id that the signature covers, if the scheme has one. */
  readonly signedId?: string;
  /** ISO 8601 in UTC. */
  readonly receivedAt: string;
  /** Whether the capture says when it was received. Otherwise the time is that of the discovery. */
  readonly isReceiptKnown: boolean;
}

/** A body that can be parsed. */
export interface ReadBody {
  readonly captured: CapturedBody;
  readonly value: unknown;
  /** What events get of the URL, if the contract reads it. */
  readonly beside: BesideBody;
}

export interface ParsedBodies {
  readonly format: BodyFormat;
  readonly isCertain: boolean;
  /** The charset of bodies that are not UTF-8; left out if all are, or the contract's charset reads them. */
  readonly charset?: CharsetGuess;
  /** The charset of the requests with the second method, as `charset`. */
  readonly alsoCharset?: CharsetGuess;
  /** What the bodies are that cannot be parsed, with their number. */
  readonly others: ReadonlyMap<BodyKind, number>;
  readonly bodies: readonly ReadBody[];
}

type Request = readonly [Capture, CapturedBody];

/** Parses bodies, each by the form that the webhook has for its HTTP method. */
export function parseBodies(captures: readonly Request[], webhook: Webhook): ParsedBodies {
  const { also } = webhook;
  const isOther = ([, { method }]: Request) => method === also?.method;
  if (also === undefined || !captures.some(isOther)) return parseForm(captures, webhook, webhook.charset);
  const main = parseForm(
    captures.filter((request) => !isOther(request)),
    webhook,
    webhook.charset,
  );
  const other = parseForm(captures.filter(isOther), webhook, also.charset);
  const others = new Map(main.others);
  for (const [kind, count] of other.others) others.set(kind, (others.get(kind) ?? 0) + count);
  return {
    ...main,
    ...(other.charset !== undefined && { alsoCharset: other.charset }),
    others,
    bodies: [...main.bodies, ...other.bodies],
  };
}

/**
 * Decides by content and header whether the bodies of requests with one method are JSON or forms, and parses them.
 *
 * @param known the charset that the contract names, if it names one
 */
function parseForm(captures: readonly Request[], webhook: Webhook, known: Webhook['charset']): ParsedBodies {
  const kinds = captures.map(([capture, body]) => bodyKindOf(capture, body));
  const count = (kind: BodyKind) => kinds.filter((one) => one === kind).length;
  const saysForm = captures.filter(
    ([{ headers }, { method }]) =>
      method === 'GET' || /form-urlencoded/i.test(headerNamed(headers, 'content-type') ?? ''),
  ).length;
  const format = bodyFormatOf(kinds);
  const isRead = (kind: BodyKind | undefined) => kind === format || kind === 'url-only';
  const chosen = captures.filter((_, index) => isRead(kinds[index]));
  const parse = (charset: Webhook['charset']) =>
    chosen.map(([, captured]) => {
      const { reads } = rulesOf(webhook, captured.method);
      const rules: BodyRules = {
        bodyFormat: format,
        ...(charset !== undefined && { charset }),
        ...(reads !== undefined && { reads }),
      };
      const beside = readBeside(rules, captured)?.all ?? {};
      return { captured, parsed: parseBody(rules, captured.bytes), beside };
    });
  const asKnown = parse(known);
  const isKnownRight = asKnown.every(({ parsed }) => parsed.kind === 'parsed');
  const charset = isKnownRight
    ? undefined
    : guessCharset(chosen.map(([capture, { bytes }]) => [capture, bytes] as const));
  const outcomes = charset === undefined ? asKnown : parse(charset.charset);
  const others = new Map<BodyKind, number>();
  const note = (kind: BodyKind) => others.set(kind, (others.get(kind) ?? 0) + 1);
  for (const kind of kinds) if (!isRead(kind)) note(kind);
  for (const { parsed } of outcomes)
    if (parsed.kind !== 'parsed') note(format === 'json' ? 'broken-json' : 'text');
  return {
    format,
    isCertain: format === 'json' ? count('json') === captures.length : saysForm === captures.length,
    ...(charset !== undefined && { charset }),
    others,
    bodies: outcomes.flatMap(({ captured, parsed, beside }) =>
      parsed.kind === 'parsed' ? [{ captured, value: parsed.value, beside }] : [],
    ),
  };
}
