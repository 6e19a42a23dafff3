import type { Contract } from '../contract/contract.ts';

/** Why a whole body could not be read. */
export type BodyProblem = 'empty-body' | 'not-utf8' | 'not-json' | 'too-deep';

export type ParsedBody =
  | { readonly readable: true; readonly value: unknown }
  | { readonly readable: false; readonly reason: BodyProblem };

/** No event of a message service nests deeper; what does is an attack on whatever recurses over it. */
const maximumDepth = 64;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Reads the raw bytes of a body as the contract's format says. */
export function parseBody(format: Contract['webhook']['bodyFormat'], body: Uint8Array): ParsedBody {
  if (body.length === 0) return { readable: false, reason: 'empty-body' };
  let text: string;
  try {
    text = decoder.decode(body);
  } catch {
    return { readable: false, reason: 'not-utf8' };
  }
  if (format === 'form') return { readable: true, value: parseForm(text) };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { readable: false, reason: 'not-json' };
  }
  if (isDeeperThan(maximumDepth, value)) return { readable: false, reason: 'too-deep' };
  return { readable: true, value: /\d{16}/.test(text) ? JSON.parse(text, keepLongNumbers) : value };
}

/** An id of many digits is more than a number holds: it stays text, as it was written. */
function keepLongNumbers(_key: string, value: unknown, { source }: { source?: string } = {}): unknown {
  return typeof value === 'number' && source !== undefined && /^-?\d{16,}$/.test(source) ? source : value;
}

/** Fields by name; a field given several times becomes a list. */
function parseForm(text: string): Record<string, string | string[]> {
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of new URLSearchParams(text)) {
    const known = fields.get(name);
    if (Array.isArray(known)) known.push(value);
    else fields.set(name, known === undefined ? value : [known, value]);
  }
  return Object.fromEntries(fields);
}

function isDeeperThan(limit: number, root: unknown): boolean {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return false;
}
