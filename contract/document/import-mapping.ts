import { createRowReader } from '../imports/row-reader.ts';
import { type ImportMapping, importMappingSchema } from '../schema/import-mapping-schema.ts';
import { ContractError, compare, describeIssue, prefixed, syntaxProblems } from './parse.ts';

/**
 * Validates a mapping: its shape, then its expressions, then its samples.
 *
 * @param json the mapping without `extends`, with the words and codes of the contract that it extends
 * @throws ContractError naming every problem of the first of these steps that fails
 */
export function parseImportMapping(json: unknown): ImportMapping {
  const parsed = importMappingSchema.safeParse(json);
  if (!parsed.success)
    throw new ContractError(
      parsed.error.issues.flatMap((issue) => describeIssue(issue, 'mapping')),
      'mapping',
    );
  const mapping = parsed.data;
  const { only, report, statuses } = mapping;
  const problems = syntaxProblems({ only, ...prefixed('report', report) });
  if (Object.keys(statuses).length === 0)
    problems.push('statuses: expected the words of the export, or "extends" with a contract that has them');
  if (problems.length > 0) throw new ContractError(problems, 'mapping');
  const failing = sampleProblems(mapping);
  if (failing.length > 0) throw new ContractError(failing, 'mapping');
  return mapping;
}

function sampleProblems(mapping: ImportMapping): string[] {
  const read = createRowReader(mapping);
  return mapping.samples.flatMap(({ name, row, becomes }, index) => {
    const [result] = read([row]);
    const outcome = result?.kind === 'report' ? ({ kind: 'event', event: result.report } as const) : result;
    const found = outcome === undefined || outcome.kind === 'left-out' ? [] : [outcome];
    return compare(found, becomes === null ? [] : [becomes]).map(
      (problem) => `samples.${index} (${name}): ${problem}`,
    );
  });
}
