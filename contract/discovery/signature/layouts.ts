import { compileSignedContent } from '../../signature/signed-text.ts';
import type { ReadableCapture } from './readable-capture.ts';
import type { SignatureSlot } from './signature-slots.ts';
import type { SignedValue } from './signed-values.ts';

/** One way for a signature to cover the body. */
interface BodyForm {
  /** The placeholder in the template. */
  readonly template: string;
  /** The content, one character a byte. */
  readonly content: string;
}

/** The ways for a signature to cover the body of one capture. */
interface BodyForms {
  /** The raw body, or its form parameters. */
  readonly plain: readonly BodyForm[];
  /** The hashes that most services use. */
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
  // The raw body comes before the form parameters, which may be the same text.
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

/** Reports whether a body can be read as form parameters, whatever its content type is. */
function isForm(body: Uint8Array): boolean {
  return /^[^\s={}[\]<>"]+=/.test(Buffer.from(body.subarray(0, 256)).toString('latin1'));
}

/** A candidate for the signed content: the body and values in an order, with a text between them. */
export interface Layout {
  /** The signed values; null is the body. */
  readonly order: readonly (SignedValue | null)[];
  readonly form: BodyForm;
  readonly separator: string;
  /** A fixed word in front, such as "v0", or null. */
  readonly word: string | null;
  /** The content in this capture, one character a byte. */
  readonly content: string;
}

/** The texts between signed values, the likeliest first. */
export const separators = ['.', '', ':', '|', '\n', ',', '&', ';', '-', '_', '+', ' '] as const;
const maxValues = 3;

/**
 * Lists all orders of the body and up to three values, at most one of them a time. Orders with fewer values come first. Among equals,
 * orders that end with the body come first, then those that begin with it.
 */
function ordersOf(values: readonly SignedValue[]): readonly Layout['order'][] {
  const orders: Layout['order'][] = [];
  for (let count = 0; count <= maxValues; count += 1)
    orders.push(
      ...choices(values, count)
        .flatMap((chosen) => permutations([...chosen, null]))
        .sort((a, b) => bodyRank(a) - bodyRank(b)),
    );
  return orders;
}

function bodyRank(order: Layout['order']): number {
  if (order.at(-1) === null) return 0;
  return order[0] === null ? 1 : 2;
}

/** Lists the candidates of one capture. @param index the capture's place in the list */
function* layoutsOf(
  index: number,
  forms: readonly BodyForm[],
  orders: readonly Layout['order'][],
  words: readonly (string | null)[],
): Generator<Layout> {
  for (const form of forms)
    for (const order of orders) {
      const texts: string[] = [];
      for (const value of order) {
        const text = value === null ? form.content : value.texts[index];
        if (text !== undefined) texts.push(text);
      }
      if (texts.length < order.length) continue;
      for (const word of words)
        for (const separator of separators) {
          const body = texts.join(separator);
          yield { order, form, separator, word, content: word === null ? body : word + separator + body };
          if (order.length === 1 && word === null) break;
        }
    }
}

function choices(values: readonly SignedValue[], count: number): readonly (readonly SignedValue[])[] {
  if (count === 0) return [[]];
  return values.flatMap((value, index) =>
    choices(values.slice(index + 1), count - 1)
      .filter((rest) => value.kind !== 'time' || rest.every(({ kind }) => kind !== 'time'))
      .map((rest) => [value, ...rest]),
  );
}

function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item, index) =>
    permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]),
  );
}

/** Candidates that are tried together. */
interface Pass {
  readonly forms: readonly (keyof BodyForms)[];
  readonly orders: readonly Layout['order'][];
  readonly words: readonly (string | null)[];
}

/** Passes over all captures before the next round begins, because some captures may be forged. */
export type Round = readonly Pass[];

/** Lists all candidates in rounds, the likeliest first. */
export function roundsOf(values: readonly SignedValue[], slots: readonly SignatureSlot[]): readonly Round[] {
  const isLikely = (order: Layout['order']) => order.every((value) => value?.isLikely !== false);
  const isShort = (order: Layout['order']) => order.length <= 3;
  const orders = ordersOf(values);
  const [likely, others] = split(orders, isLikely);
  const [short, long] = split(likely, isShort);
  const [otherShort, otherLong] = split(others, isShort);

  const [bodyLast, bodyElsewhere] = split(short, (order) => order.at(-1) === null);

  const without = [null];
  const versions = versionsOf(slots);
  const either = [...without, ...versions];
  const all = ['plain', 'hashed', 'unusual'] as const;
  return [
    [
      { forms: ['plain'], orders: short, words: without },
      { forms: ['plain'], orders: bodyLast, words: versions },
    ],
    [
      { forms: ['hashed'], orders: short, words: without },
      { forms: ['plain'], orders: long, words: without },
      { forms: ['hashed'], orders: short, words: versions },
      { forms: ['hashed'], orders: long, words: without },
      { forms: ['plain'], orders: otherShort, words: without },
      { forms: ['plain'], orders: bodyElsewhere, words: versions },
      { forms: ['unusual'], orders: short, words: without },
      { forms: ['plain', 'hashed'], orders: long, words: versions },
      { forms: ['unusual'], orders: short, words: versions },
      { forms: ['unusual'], orders: long, words: either },
    ],
    [
      { forms: ['plain'], orders: otherShort, words: versions },
      { forms: ['hashed', 'unusual'], orders: otherShort, words: either },
      { forms: all, orders: otherLong, words: either },
    ],
  ];
}

/** Lists the candidates that a round tries on one capture. @param index the capture's place in the list */
export function* layoutsIn(round: Round, index: number, bodies: BodyForms): Generator<Layout> {
  for (const { forms, orders, words } of round)
    for (const form of forms) yield* layoutsOf(index, bodies[form], orders, words);
}

function split<T>(items: readonly T[], belongs: (item: T) => boolean): readonly [T[], T[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}

/** Lists the versions that prefixes name: after a prefix "v0=", the signed content may begin with "v0". */
function versionsOf(slots: readonly SignatureSlot[]): readonly string[] {
  const versions = slots.flatMap(({ prefix }) => /\b(v\d{1,2})[=,:]/i.exec(prefix)?.[1] ?? []);
  return [...new Set(versions)].slice(0, 2);
}
