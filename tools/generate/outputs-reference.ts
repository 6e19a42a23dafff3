import { outputMeanings } from '../../lib/building-blocks/output-meanings.ts';

/** Writes the outputs of the stacks as Markdown tables, one for each stack. Outputs with the same meaning share a row. */
export function outputsReference(stacks: Readonly<Record<string, object>> = outputMeanings): string {
  const head = ['| output | what it is |', '|---|---|'];
  return Object.entries(stacks)
    .map(([stack, outputs]) => {
      const byMeaning = Map.groupBy(Object.entries(outputs), ([, meaning]) => String(meaning));
      const rows = [...byMeaning].map(([meaning, same]) => {
        const names = same.map(([name]) => `\`${name}\``).join(', ');
        return `| ${names} | ${meaning.replaceAll(/sms:\S+|sms doctor(?: --[\w-]+)?/g, '`$&`')} |`;
      });
      return [`## ${stack}`, '', ...head, ...rows].join('\n');
    })
    .join('\n\n');
}
