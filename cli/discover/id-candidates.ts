import { type Column, filled } from './columns.ts';
import { nameWeight } from './field-name.ts';
import { type Candidate, isConstant, leastScore, rankColumns } from './rank-columns.ts';
import { isId, type Scalar, timeFormatOf } from './scalar.ts';

/** What is known when an id is looked for. */
interface Around {
  /** The status: an id that several of them share is the message's. */
  readonly word: Column | undefined;
  /** What the id is of is said here, or near to it. */
  readonly near: Column | undefined;
  readonly number: Column | undefined;
  /** A field that is something else already. */
  readonly taken: Column | undefined;
}

/**
 * The id of a message: it comes again with another status and the same number; what never changes is the id of an account, and
 * what belongs to several numbers that of a send.
 */
export function idCandidates(
  columns: readonly Column[],
  names: ReadonlyMap<string, number>,
  { word, near, number, taken }: Around,
): Candidate[] {
  const others = columns.filter((column) => column !== taken && column !== word && column !== number);
  const isOfMessage = (column: Column) =>
    word !== undefined && sharedBy(column, word) && !(number !== undefined && sharedBy(column, number));
  const comesAgain = others.some(
    (column) =>
      nameWeight(column.name, names) >= leastScore &&
      filled(column).every(isId) &&
      !isConstant(column) &&
      isOfMessage(column),
  );
  return rankColumns(others, {
    names,
    fits: isId,
    looks: (column) => isWideId(column) && isOfMessage(column),
    bonus: (column) => {
      if (isConstant(column) && !(number !== undefined && isConstant(number))) return -60;
      if (number !== undefined && sharedBy(column, number)) return -40;
      // Where some id comes again with another status, one that never does is the event's.
      const again = isOfMessage(column) ? 15 : comesAgain ? -25 : 0;
      return nearness(column, near) + again;
    },
  });
}

/** An id beside the status, or as near to it as there is, is of the message; one farther away is of the envelope. */
function nearness(column: Column, near: Column | undefined): number {
  const [steps, others] = [column.holder.split('.'), (near?.path ?? '').split('.')];
  const shared = steps.findIndex((step, index) => step === '' || step !== others[index]);
  return 3 * Math.min(3, shared === -1 ? steps.length : shared);
}

/** Made by a machine: many characters, digits among them, and no time. */
function isWideId(column: Column): boolean {
  return filled(column).every(
    (value) => /^(?=.*\d)[\w:-]{5,}$/.test(String(value)) && timeFormatOf(value) === undefined,
  );
}

/** Whether one value of a field comes with several of another. */
function sharedBy({ values }: Column, other: Column): boolean {
  const first = new Map<Scalar, string>();
  return values.some((value, index) => {
    const beside = other.values[index];
    if (value === undefined || beside === undefined) return false;
    const before = first.get(value);
    if (before === undefined) first.set(value, String(beside));
    return before !== undefined && before !== String(beside);
  });
}
