import { outputMeanings } from '../../lib/building-blocks/output-meanings.ts';

/** Writes the outputs as Markdown tables, one for each subject. Outputs with the same meaning share a row. */
export function outputsReference(subjects: Readonly<Record<string, object>> = outputMeanings): string {
  const head = ['| output | what it is |', '|---|---|'];
  return Object.entries(subjects)
    .map(([subject, outputs]) => {
      const byMeaning = Map.groupBy(Object.entries(outputs), ([, meaning]) => String(meaning));
      const rows = [...byMeaning].map(([meaning, same]) => {
        const names = same.map(([name]) => `\`${name}\``).join(', ');
        return `| ${names} | ${meaning.replaceAll(/sms:\S+|sms doctor(?: --[\w-]+)?/g, '`$&`')} |`;
      });
      return [`## ${subject}`, '', ...head, ...rows].join('\n');
    })
    .join('\n\n');
}
