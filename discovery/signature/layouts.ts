import type { BodyForm, BodyForms } from './body-forms.ts';
import type { SignatureSlot } from './signature-slots.ts';
import type { SignedValue, SignedValues } from './signed-values.ts';

/** A candidate for the signed content: the body and values in an order, with a text between them. */
export interface Layout {
  /** The signed values; null is the body. */
  readonly order: readonly (SignedValue | null)[];
  /** Undefined if the body is not signed. */
  readonly form: BodyForm | undefined;
  readonly separator: string;
  /** A fixed text in front, such as "v0:", or ''. */
  readonly word: string;
  /** The content in this capture, one character a byte. */
  readonly content: string;
}

/** The texts between signed values, the likeliest first. */
export const separators = [
  '.',
  '',
  ':',
  '|',
  '\n',
  ',',
  '&',
  ';',
  '-',
  '_',
  '+',
  ' ',
  '\r\n',
  '\n\n',
] as const;
const fewSeparators = ['', '.', '\n', '|', ':'] as const;
const maxValues = 3;

type Order = Layout['order'];

/**
 * Lists all orders of the body and up to three values, at most one of them a time. Orders with fewer values come first. Among equals,
 * orders that end with the body come first, then those that begin with it.
 */
function ordersOf(values: readonly SignedValue[]): readonly Order[] {
  const orders: Order[] = [];
  for (let count = 0; count <= maxValues; count += 1)
    orders.push(
      ...choices(values, count)
        .flatMap((chosen) => permutations([...chosen, null]))
        .sort((a, b) => bodyRank(a) - bodyRank(b)),
    );
  return orders;
}

function bodyRank(order: Order): number {
  if (order.at(-1) === null) return 0;
  return order[0] === null ? 1 : 2;
}

/** Lists the candidates of one capture. @param index the capture's place in the list */
function* layoutsOf(
  index: number,
  forms: readonly BodyForm[],
  { orders, words, separators: between = separators }: Pass,
): Generator<Layout> {
  for (const form of forms)
    for (const order of orders) {
      const texts: string[] = [];
      for (const value of order) {
        const text = value === null ? form.content : value.texts[index];
        if (text !== undefined) texts.push(text);
      }
      if (texts.length < order.length) continue;
      const isUnsigned = !order.includes(null);
      for (const word of words)
        for (const separator of between) {
          const text = texts.join(separator);
          const starts = word === null ? [''] : [...new Set([word + separator, `${word}:`])];
          for (const start of starts)
            yield {
              order,
              form: isUnsigned ? undefined : form,
              separator,
              word: start,
              content: start + text,
            };
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
  /** The forms of the body; none for orders without the body. */
  readonly forms: readonly (keyof BodyForms)[];
  readonly orders: readonly Order[];
  readonly words: readonly (string | null)[];
  readonly separators?: readonly string[];
}

/** Passes over all captures before the next round begins, because some captures may be forged. */
export type Round = readonly Pass[];

/**
 * Lists all candidates in rounds, the likeliest first.
 *
 * @param isSlow whether each check is a verification with a public key
 */
export function roundsOf(
  values: SignedValues,
  slots: readonly SignatureSlot[],
  isSlow: boolean,
): readonly Round[] {
  const isLikely = (order: Order) => order.every((value) => value?.isLikely !== false);
  const isShort = (order: Order) => order.length <= 3;
  const orders = ordersOf(values.usual);
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
      ...withOtherSpellings(values, short, isSlow),
      ...withoutBody(values, isSlow),
      ...withLists(values, isSlow),
      ...canonicalRequests(values, versions, isSlow),
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

/** Orders with the URL as the service may have written it. */
function withOtherSpellings(
  { usual, method, spellings }: SignedValues,
  short: readonly Order[],
  isSlow: boolean,
): readonly Pass[] {
  const times = usual.filter(({ kind }) => kind === 'time');
  const behind = short
    .filter((order) => order.some((value) => value?.kind === 'url'))
    .flatMap((order) =>
      spellings.map((spelling) => order.map((value) => (value?.kind === 'url' ? spelling : value))),
    );
  const canonical = spellings.flatMap((spelling): Order[] => [
    [method, spelling, null],
    ...times.flatMap((time): Order[] => [
      [method, spelling, null, time],
      [method, spelling, time, null],
      [time, method, spelling, null],
    ]),
  ]);
  const separators = isSlow ? ['', '.', '\n'] : [...fewSeparators, '\n\n'];
  const plain: Pass = { forms: ['plain'], orders: [...behind, ...canonical], words: [null], separators };
  return isSlow ? [plain] : [plain, { ...plain, forms: ['digests'], orders: canonical }];
}

/** Orders without the body, or with a hash of it that the request carries. */
function withoutBody({ usual, carried, urls }: SignedValues, isSlow: boolean): readonly Pass[] {
  const likely = [...usual.filter(({ isLikely, kind }) => isLikely && kind !== 'url'), ...carried];
  // Without a query in the URL, a sender must not be able to add one.
  const fixed = urls.slice(0, 2).map((url) => {
    const hasQuery = url.texts.some((text) => text?.includes('?'));
    return url.kind === 'url' && !hasQuery ? { ...url, template: '{url:base}' } : url;
  });
  const values = [...likely.slice(0, isSlow ? 4 : 6), ...fixed];
  const orders = [1, 2, 3].flatMap((count) => choices(values, count).flatMap(permutations));
  return [{ forms: [], orders, words: [null], separators: isSlow ? fewSeparators : separators }];
}

/** Orders with joined parameters and at most one other value. */
function withLists({ usual, method }: SignedValues, isSlow: boolean): readonly Pass[] {
  const beside = [...usual.filter(({ kind, isLikely }) => kind !== 'url' && isLikely), method];
  const orders: Order[] = [
    [null],
    ...beside.flatMap((value): Order[] => [
      [value, null],
      [null, value],
    ]),
  ];
  const between = isSlow ? ['', '.'] : [...fewSeparators, '&', ','];
  return [
    { forms: ['lists'], orders: isSlow ? [[null]] : orders, words: [null], separators: between },
    { forms: ['rareLists'], orders: [[null]], words: [null] },
  ];
}

/** Orders that hold the method and a part of the URL, or its path, in addition to the body. */
function canonicalRequests(
  { usual, method, urls, contentType }: SignedValues,
  versions: readonly string[],
  isSlow: boolean,
): readonly Pass[] {
  const times = usual.filter(({ kind }) => kind === 'time');
  const tokens = usual.filter(({ kind, isLikely }) => kind === 'token' && isLikely).slice(0, 2);
  const inOrder = (first: readonly SignedValue[], rest: Order): readonly Order[] =>
    permutations([...first, ...rest]).filter((order) =>
      first.every(
        (value, index) => index === 0 || order.indexOf(first[index - 1] ?? null) < order.indexOf(value),
      ),
    );
  const begun = (first: SignedValue, rest: Order): readonly Order[] =>
    permutations(rest).map((order) => [first, ...order]);
  const plain: Order[] = [];
  const long: Order[] = [];
  for (const url of urls) {
    plain.push(...inOrder([method, url], [null]), ...inOrder([url], [null]));
    for (const value of [...times, ...tokens])
      plain.push(...inOrder([method, url], [value, null]), ...inOrder([url], [value, null]));
  }
  for (const url of urls.filter(({ template }) => template.startsWith('{path')))
    for (const time of times) {
      for (const token of tokens) long.push(...begun(method, [url, time, token, null]));
      for (const named of [time, ...namedValues(time)])
        long.push(...begun(method, [url, contentType, named, null]));
      for (const named of namedValues(time)) long.push(...begun(method, [url, named, null]));
    }
  for (const url of urls.filter(({ kind }) => kind === 'url'))
    for (const time of times) for (const token of tokens) long.push([time, token, method, url, null]);
  const words = isSlow ? [null] : [null, ...versions];
  const timeFirst = plain.filter(([first, second]) => first?.kind === 'time' && second === method);
  const marked = { orders: timeFirst, words: ['v1', 'v0'], separators: ['|', '\n', ':'] };
  if (isSlow) return [{ forms: ['plain'], orders: plain, words, separators: ['\n', '', '.'] }];
  return [
    { forms: ['plain'], orders: plain, words, separators: [...fewSeparators, ' ', ',', '&', '\n\n'] },
    { forms: ['plain'], ...marked },
    { forms: ['digests'], orders: [...plain, ...long], words: [null], separators: ['\n'] },
    { forms: ['digests'], orders: plain, words: [null], separators: ['', '|', ':', '\n\n'] },
  ];
}

/** A header with its name, as canonical requests write it. */
function namedValues(value: SignedValue): readonly SignedValue[] {
  const header = value.part?.header;
  if (header === undefined) return [];
  return [':', ': '].map((between) => ({
    ...value,
    template: `${header}${between}${value.template}`,
    texts: value.texts.map((text) => text && `${header}${between}${text}`),
  }));
}

/** Lists the candidates that a round tries on one capture. @param index the capture's place in the list */
export function* layoutsIn(round: Round, index: number, bodies: BodyForms): Generator<Layout> {
  for (const pass of round) {
    if (pass.forms.length === 0) yield* layoutsOf(index, [{ template: '', others: [], content: '' }], pass);
    for (const form of pass.forms) yield* layoutsOf(index, bodies[form], pass);
  }
}

function split<T>(items: readonly T[], belongs: (item: T) => boolean): readonly [T[], T[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}

/** Lists the versions that prefixes name: after a prefix "v0=", the signed content may begin with "v0". */
function versionsOf(slots: readonly SignatureSlot[]): readonly string[] {
  const versions = slots.flatMap(({ prefix }) => /\b(v\d{1,2})[=,:]/i.exec(prefix)?.[1] ?? []);
  return [...new Set(versions)].slice(0, 2);
}
