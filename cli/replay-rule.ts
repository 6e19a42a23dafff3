import { CommandFailure } from './failures.ts';
import type { BusRule } from './replay-access.ts';
import { sanitize } from './text/sanitize.ts';

/** More than that are of no help in an error. */
const mostNamed = 20;

/**
 * Finds the rule that is meant: the one of this name, else the only one whose name has this part, whatever the case.
 *
 * @throws CommandFailure that names the bus's rules, the nearest first, where that is none or more than one
 */
export function findRule(wanted: string, rules: readonly BusRule[]): BusRule {
  const exact = rules.find(({ name }) => name === wanted);
  if (exact !== undefined) return exact;
  const word = wanted.toLowerCase();
  const [only, ...others] = rules.filter(({ name }) => name.toLowerCase().includes(word));
  if (only !== undefined && others.length === 0) return only;
  if (rules.length === 0) throw new CommandFailure('The event bus has no rule, so nothing would get events.');
  const problem =
    only === undefined
      ? `No rule of the event bus is named "${sanitize(wanted)}" or has that in its name.`
      : `${others.length + 1} rules of the event bus have "${sanitize(wanted)}" in their names: give more of one.`;
  throw new CommandFailure(`${problem} Its rules:\n${listed(nearestFirst(word, rules)).join('\n')}`);
}

function listed(rules: readonly BusRule[]): string[] {
  const names = rules.slice(0, mostNamed).map(({ name }) => `  ${name}`);
  const more = rules.length - names.length;
  return more > 0 ? [...names, `  and ${more} more`] : names;
}

/** By how much of the word's pairs of letters a name has: names of CDK are far longer than what people type. */
function nearestFirst(word: string, rules: readonly BusRule[]): BusRule[] {
  const wanted = pairsOf(word);
  const near = ({ name }: BusRule) => {
    const pairs = pairsOf(name.toLowerCase());
    return [...wanted].filter((pair) => pairs.has(pair)).length;
  };
  return rules.toSorted((a, b) => near(b) - near(a) || (a.name < b.name ? -1 : 1));
}

function pairsOf(text: string): Set<string> {
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));
}
