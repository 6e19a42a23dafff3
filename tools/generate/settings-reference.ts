import { posix } from 'node:path';
import { settingsOfStacks } from '../../lib/app/settings-schema.ts';
import { type GroupName, isGroupName, pathOf, type Row, rowsOf } from '../../lib/props/option-table.ts';
import type { Setting } from '../../lib/props/setting-kinds.ts';
import { type DocumentedProperty, documentedProperties } from './source-comments.ts';

/** What a setting or prop is for. */
type About = Pick<DocumentedProperty, 'text' | 'see'>;

/** The meaning of the settings without a prop. */
const aboutStacks: Readonly<Record<(typeof settingsOfStacks)[number]['name'], About>> = {
  stackPrefix: { text: "The beginning of the stacks' names.", see: undefined },
  queryRoleArn: {
    text: 'A role of this account that may call the query API.',
    see: 'docs/guides/permissions.md#read',
  },
  sources: {
    text: 'Further sources of delivery reports: a JSON object with a block of settings for each. In an app of your own: `addSource`.',
    see: 'docs/guides/several-sources.md',
  },
};

const interfaces = new Map(
  ['lib/public/props.ts', 'lib/public/alarms.ts'].flatMap((file) => [...documentedProperties(file)]),
);

/** Lists the props of an interface and of the groups in it, by path. */
function propsBelow(name: string, prefix = ''): [string, DocumentedProperty][] {
  return (interfaces.get(name) ?? []).flatMap((prop) => {
    const path = `${prefix}${prop.name}`;
    // The last word is the type of a map's values.
    const [group] = /\w+(?=\W*$)/.exec(prop.type) ?? [];
    return [[path, prop], ...(group === undefined ? [] : propsBelow(group, `${path}.`))];
  });
}

/** The props of a pipeline with their comments, by path. */
export const documentedProps: ReadonlyMap<string, DocumentedProperty> = new Map(
  propsBelow('SmsPipelineProps'),
);

function aboutProp(path: string): About {
  const prop = documentedProps.get(path);
  if (prop === undefined || prop.text === '') throw new Error(`lib/props: ${path} lacks a comment`);
  return prop;
}

/** Writes the settings and props as one Markdown table. @param page the path of the page that it is for */
export function settingsReference(page = 'docs/reference/settings.md'): string {
  const stacks = settingsOfStacks.map((setting) =>
    line(settingCell(setting), meaning(aboutStacks[setting.name], page)),
  );
  const head = ['setting and default, prop | meaning', '---|---'];
  return [...head, ...stacks, ...linesOf('pipeline', page)].join('\n');
}

/** Writes the lines of a group, and below the line of a group in it those of its props. */
function linesOf(group: GroupName, page: string): readonly string[] {
  return rowsOf(group).flatMap(([prop, row]) => {
    const path = pathOf(group, prop);
    const own = isShown(path, row, group) ? [line(cell(path, row), meaning(aboutProp(path), page), row)] : [];
    return isGroupName(path) && hasSetting(path) ? [...own, ...linesOf(path, page)] : own;
  });
}

/**
 * A group is shown if a setting gives the whole group, or if no prop in it has a setting: single alarms have a table of their own. Another
 * prop is shown unless the setting of its group gives it, as the URL of a trust store gives its bucket and key.
 */
function isShown(path: string, { setting }: Row, group: GroupName): boolean {
  if (setting !== undefined) return true;
  return isGroupName(path) ? !hasSetting(path) : group !== 'webhook.domain.mutualTls';
}

/** Returns whether a prop of a group, or of a group in it, has a setting. */
function hasSetting(group: GroupName): boolean {
  return rowsOf(group).some(([prop, { setting }]) => {
    const path = pathOf(group, prop);
    return setting !== undefined || (isGroupName(path) && hasSetting(path));
  });
}

/** Writes the setting and the prop, or the name of both. */
function cell(path: string, { setting }: Row): string {
  if (setting === undefined) return `\`${path}\``;
  return setting.name === path ? settingCell(setting) : `${settingCell(setting)}, \`${path}\``;
}

/** Writes a setting with its default, and the other choices if it has some that are not `on` and `off`. A default that is an object is not shown. */
function settingCell({ name, schema, choices = [] }: Setting): string {
  const value: unknown = schema.parse(undefined) ?? '';
  const preset = typeof value === 'object' ? '' : String(value);
  const others = choices.filter((word) => ![preset, 'on', 'off'].includes(word));
  const shown = preset === '' ? `\`${name}\`` : `\`${name}=${preset}\``;
  return [shown, ...others.map((word) => `or \`${word}\``)].join(' ');
}

/** The meaning is the first sentence of the comment; what the comment refers to becomes its link. */
function meaning({ text, see }: About, page: string): string {
  const [sentence = text] = /^.*?[.!](?= |$)/.exec(text) ?? [];
  const words = sentence
    .replace(/\.$/, '')
    .replace(/^The (?=\w)/, '')
    .replace(/, in whole (?:days|hours|minutes|seconds)|, in lower case$/, '')
    .replace(/ are kept for this long$/, ' are kept')
    .replaceAll('|', '\\|')
    .replace(/^[a-z]/, (letter) => letter.toUpperCase());
  const target = see && posix.relative(posix.dirname(page), see);
  return target === undefined ? words : `[${words}](${target})`;
}

function line(names: string, words: string, row?: Row): string {
  const isZeroForNone = row?.kind === 'option' && row.isZeroForNone;
  return `${names} | ${words}${isZeroForNone ? '; 0: none' : ''}`;
}
