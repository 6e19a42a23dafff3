import { compileSignedContent } from '../../signature/signed-text.ts';
import type { ReadableCapture } from './readable-capture.ts';
import type { SignatureSlot } from './signature-slots.ts';
import type { SignedValue } from './signed-values.ts';

/** One way in which a signature may cover the body. */
interface BodyForm {
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

/** What may be signed: the body and values in an order, with a text between them. */
export interface Layout {
  /** Null stands for the body. */
  readonly order: readonly (SignedValue | null)[];
  readonly form: BodyForm;
  readonly separator: string;
  /** A fixed word in front, as "v0"; or null. */
  readonly word: string | null;
  /** What is signed in this capture; one character a byte. */
  readonly content: string;
}

/** The texts between what is signed, likeliest first. */
export const separators = ['.', '', ':', '|', '\n', ',', '&', ';', '-', '_', '+', ' '] as const;
const maxValues = 3;

/**
 * All orders of the body and up to three values, of which one may be a time: fewer values first, and of as many those that
 * end with the body, then those that begin with it.
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

/** What may be signed in one capture, by its place in the list. */
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

/** What is tried together. */
interface Pass {
  readonly forms: readonly (keyof BodyForms)[];
  readonly orders: readonly Layout['order'][];
  readonly words: readonly (string | null)[];
}

/** Passes that are made over all captures before those of the next round: some captures may be forged. */
export type Round = readonly Pass[];

/** All that is tried, likeliest first. */
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

/** What a round tries on one capture, by its place in the list. */
export function* layoutsIn(round: Round, index: number, bodies: BodyForms): Generator<Layout> {
  for (const { forms, orders, words } of round)
    for (const form of forms) yield* layoutsOf(index, bodies[form], orders, words);
}

function split<T>(items: readonly T[], is: (item: T) => boolean): readonly [T[], T[]] {
  return [items.filter(is), items.filter((item) => !is(item))];
}

/** The versions that prefixes name: "v0=" stands for a "v0" in front of what is signed. */
function versionsOf(slots: readonly SignatureSlot[]): readonly string[] {
  const versions = slots.flatMap(({ prefix }) => /\b(v\d{1,2})[=,:]/i.exec(prefix)?.[1] ?? []);
  return [...new Set(versions)].slice(0, 2);
}
