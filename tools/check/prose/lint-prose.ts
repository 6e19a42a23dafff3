import { join } from 'node:path';
import { TextlintKernel } from '@textlint/kernel';
import markdownPlugin from '@textlint/textlint-plugin-markdown';
import prh from 'textlint-rule-prh';
import { sentences } from './sentences.ts';

/** A TypeScript or CommonJS module has its default export as it is or below `default`. */
const defaultOf = <T>(module: T | { readonly default: T }): T =>
  typeof module === 'object' && module !== null && 'default' in module ? module.default : module;

const kernel = new TextlintKernel();
const plugins = [{ pluginId: 'markdown', plugin: defaultOf(markdownPlugin) }];
const words = {
  ruleId: 'words',
  rule: defaultOf(prh),
  options: { rulePaths: [join(import.meta.dirname, 'words.yml')], checkEmphasis: true, checkLink: true },
};
const limits = { ruleId: 'sentences', rule: sentences };

/** Lists what is wrong with the English of a page, as `path:line: message`. Decisions are checked for their words alone. */
export async function lintProse(path: string, text: string): Promise<readonly string[]> {
  const rules = path.startsWith('docs/adr/') ? [words] : [words, limits];
  const { messages } = await kernel.lintText(text, { ext: '.md', filePath: path, plugins, rules });
  return messages.map(({ loc, message, ruleId }) => {
    const written = ruleId === 'words' ? message.replace(/^(.+) => (.+)$/s, '"$1": write $2') : message;
    return `${path}:${loc.start.line}: ${written}`;
  });
}
