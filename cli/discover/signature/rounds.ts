import type { BodyForms } from './body-forms.ts';
import { type Layout, layoutsOf, ordersOf } from './layouts.ts';
import type { SignatureSlot } from './signature-slots.ts';
import type { SignedValue } from './signed-value.ts';

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
