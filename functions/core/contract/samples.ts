import { createMapper } from '../events/mapping.ts';
import { encodeForm } from '../events/render.ts';
import type { Contract } from './contract.ts';

/** Maps each sample and compares: one line for each sample or field that does not become what it says. */
export function checkSamples(contract: Contract): string[] {
  const map = createMapper(contract);
  return contract.samples.flatMap((sample, index) => {
    const path = `samples.${index} (${sample.name})`;
    const body =
      contract.webhook.bodyFormat === 'json'
        ? Buffer.from(JSON.stringify(sample.body))
        : encodeForm(sample.body);
    const mapped = map(body, 'sample');
    if (mapped.length !== sample.becomes.length)
      return [`${path}: expected ${sample.becomes.length} events, the mapping finds ${mapped.length}`];
    return mapped.flatMap((outcome, position) => {
      const where = `${path}: event ${position}`;
      if (!outcome.readable)
        return [
          `${where} cannot be read: ${outcome.reason}${'field' in outcome ? ` (${outcome.field})` : ''}`,
        ];
      const actual = new Map<string, unknown>(Object.entries(outcome.event));
      return Object.entries(sample.becomes[position] ?? {})
        .filter(([field, expected]) => actual.get(field) !== expected)
        .map(
          ([field, expected]) =>
            `${where}: expected ${field} "${expected}", the mapping gives ${JSON.stringify(actual.get(field) ?? null)}`,
        );
    });
  });
}
