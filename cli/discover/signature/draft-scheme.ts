import type { SignatureContract } from '../../../functions/core/contract/contract.ts';
import type { HeaderPart } from '../../../functions/core/signature/header-value.ts';
import type { Layout } from './layouts.ts';
import type { Probe } from './probes.ts';
import type { Encoding, SignatureSlot } from './signature-slots.ts';
import type { SignedValue } from './signed-value.ts';
import { varies } from './value-likelihood.ts';

/** A scheme as contract.json would hold it, not yet looked at by the schema. */
export interface Draft {
  readonly scheme: SignatureContract['scheme'];
  readonly [key: string]: unknown;
}

/**
 * Writes down a scheme that was found.
 *
 * @returns undefined where two values stand in lists: the contract names one such value, as its id
 */
export function draftScheme(
  probe: Probe,
  slot: SignatureSlot,
  layout: Layout,
  encoding: Encoding,
): ((toleranceSeconds: number) => Draft) | undefined {
  const values = layout.order.filter((value) => value !== null);
  const time = values.find(({ kind }) => kind === 'time');
  const tokens = values.filter(({ kind }) => kind === 'token');
  const id = idOf(tokens);
  if (tokens.some((token) => isEntry(token) && token !== id)) return undefined;
  return (toleranceSeconds) => ({
    ...probe.fields,
    encoding,
    header: slot.header,
    prefix: slot.prefix,
    separator: slot.separator ?? (/^v\d+,$/.test(slot.prefix) ? ' ' : null),
    signedContent: templateOf(layout, id),
    id: id === undefined ? null : partOf(id),
    timestamp: time === undefined ? null : { ...partOf(time), unit: time.unit, toleranceSeconds },
  });
}

/** The value that the contract calls its id: one out of a list, or one that is called so and differs from request to request. */
function idOf(tokens: readonly SignedValue[]): SignedValue | undefined {
  return tokens.find(isEntry) ?? tokens.find((value) => isCalledId(value.header) && varies(value.texts));
}

function isCalledId(header: string): boolean {
  return (
    /(?:^|[-_.])(?:u?u?id|guid)$|idempotency|event|message|delivery/.test(header) &&
    !/nonce|account|key-?id/.test(header)
  );
}

function isEntry({ prefix, separator }: HeaderPart): boolean {
  return prefix !== '' || separator !== null;
}

function partOf({ header, prefix, separator }: HeaderPart): HeaderPart {
  return { header, prefix, separator };
}

function templateOf({ order, form, word, separator }: Layout, id: SignedValue | undefined): string {
  const placeholders = order.map((value) => {
    if (value === null) return form.template;
    if (value.kind === 'time') return '{timestamp}';
    if (value.kind === 'url') return '{url}';
    return value === id ? '{id}' : `{header:${value.header}}`;
  });
  return [...(word === null ? [] : [word]), ...placeholders].join(separator);
}
