import type { BodyForm } from './body-forms.ts';
import type { SignedValue } from './signed-value.ts';

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
const mostValues = 3;

/**
 * All orders of the body and up to three values, of which one may be a time: fewer values first, and of as many those that
 * end with the body, then those that begin with it.
 */
export function ordersOf(values: readonly SignedValue[]): readonly Layout['order'][] {
  const orders: Layout['order'][] = [];
  for (let count = 0; count <= mostValues; count += 1)
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
export function* layoutsOf(
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
