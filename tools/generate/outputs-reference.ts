import { outputMeanings } from '../../lib/building-blocks/output-meanings.ts';

/** Writes the outputs of the stacks as Markdown lists, one for each stack. Outputs with the same meaning share a line. */
export function outputsReference(stacks: Readonly<Record<string, object>> = outputMeanings): string {
  const lists = Object.entries(stacks).map(([stack, outputs]) => {
    const byMeaning = Map.groupBy(Object.entries(outputs), ([, meaning]) => String(meaning));
    const lines = [...byMeaning].map(([meaning, same]) => {
      const names = same.map(([name]) => `\`${name}\``).join(', ');
      const text = meaning.replace(/^The /, '').replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
      return `- ${names}: ${text.replaceAll(/sms:\S+|sms doctor[ \w-]*/g, '`$&`')}`;
    });
    return [`**${stack}**`, lines.join('\n')].join('\n\n');
  });
  return lists.join('\n\n');
}
