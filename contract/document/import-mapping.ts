import { createRowReader } from '../imports/row-reader.ts';
import { type ImportMapping, importMappingSchema } from '../schema/import-mapping-schema.ts';
import { ContractError, compare, describeIssue, prefixed, requireShallow, syntaxProblems } from './parse.ts';

/**
 * Validates a mapping: its shape, then its expressions, then its samples.
 *
 * @param json the mapping without `extends`, with the words and codes of the contract that it extends
 * @throws ContractError naming every problem of the first of these steps that fails
 */
export function parseImportMapping(json: unknown): ImportMapping {
  requireShallow(json, 'mapping');
  const parsed = importMappingSchema.safeParse(json);
  if (!parsed.success)
    throw new ContractError(
      parsed.error.issues.flatMap((issue) => describeIssue(issue, 'mapping')),
      'mapping',
    );
  const mapping = parsed.data;
  const { only, report, replies, statuses } = mapping;
  const problems = [
    ...syntaxProblems({ only, ...prefixed('report', report ?? {}), ...prefixed('replies', replies ?? {}) }),
    ...choiceProblems(mapping),
  ];
  if (report !== null && Object.keys(statuses).length === 0)
    problems.push('statuses: expected the words of the export, or "extends" with a contract that has them');
  if (problems.length > 0) throw new ContractError(problems, 'mapping');
  const failing = sampleProblems(mapping);
  if (failing.length > 0) throw new ContractError(failing, 'mapping');
  return mapping;
}

/** Lists what leaves open whether a row is a report or a reply. */
function choiceProblems({ only, report, replies }: ImportMapping): string[] {
  if (report === null && replies === null) return ['report: expected "report", "replies" or both'];
  if (report === null && only !== null)
    return ['only: expected no "only" without "report", because it chooses the reports: use "replies.only"'];
  if (report !== null && replies?.only === null)
    return [
      'replies.only: expected an expression that is true for the rows that are replies, because the others are reports',
    ];
  return [];
}

function sampleProblems(mapping: ImportMapping): string[] {
  const read = createRowReader(mapping);
  return mapping.samples.flatMap(({ name, row, becomes }, index) => {
    const [result] = read([row]);
    const outcome =
      result?.kind === 'report' || result?.kind === 'reply'
        ? ({ kind: 'event', event: result.kind === 'report' ? result.report : result.reply } as const)
        : result;
    const found = outcome === undefined || outcome.kind === 'left-out' ? [] : [outcome];
    return compare(found, becomes === null ? [] : [becomes]).map(
      (problem) => `samples.${index} (${name}): ${problem}`,
    );
  });
}
