import { posix } from 'node:path';
import { settingsOfStack } from '../../lib/app/settings-schema.ts';
import { isGroupName, pathOf, type Row, rowsOf } from '../../lib/options/option-table.ts';
import type { GroupName } from '../../lib/options/options.ts';
import type { Setting } from '../../lib/options/setting-kinds.ts';
import { type DocumentedProperty, documentedProperties } from './source-comments.ts';

/** What a setting or prop is for. */
type About = Pick<DocumentedProperty, 'text' | 'see'>;

/** The meaning of the settings without a prop. */
const aboutStacks: Readonly<Record<string, About>> = {
  stackName: { text: 'The name of the stack.', see: undefined },
  queryRoleArn: {
    text: 'This role of the account may call the query API.',
    see: 'docs/guides/permissions.md#read',
  },
  sources: {
    text: 'These are further sources of delivery reports: a JSON object with a block of settings for each.',
    see: 'docs/guides/several-sources.md',
  },
};

function aboutStack({ name }: Setting): About {
  const about = aboutStacks[name];
  if (about === undefined) throw new Error(`tools/generate: the setting ${name} lacks a meaning`);
  return about;
}

const interfaces = new Map(
  ['lib/props/props.ts', 'lib/props/alarms.ts'].flatMap((file) => [...documentedProperties(file)]),
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

function aboutProp(path: string): DocumentedProperty {
  const prop = documentedProps.get(path);
  if (prop === undefined || prop.text === '') throw new Error(`lib/options: ${path} lacks a comment`);
  return prop;
}

/** The headings of the groups that have a table of their own, in the order of the page. A group without a heading is in the table of the group around it. */
const headings: Partial<Record<GroupName, string>> = {
  pipeline: 'The pipeline',
  tables: 'Tables',
  webhook: 'Webhook',
  'webhook.domain': 'Domain of the API',
  worker: 'Worker',
  events: 'Events on the bus',
  exports: 'Exports to S3',
  insights: 'Insights',
  console: 'Console in the browser',
  alarms: 'Alarms',
  logs: 'Logs',
};

/** Writes the settings and props as Markdown tables, one for each group with a heading. @param page the path of the page that they are for */
export function settingsReference(page = 'docs/reference/settings.md'): string {
  const stacks = settingsOfStack.map((setting) => ({
    heading: headings.pipeline,
    line: line(settingCells(setting), 'none', aboutStack(setting), page),
  }));
  const lines = [...stacks, ...linesOf('pipeline', headings.pipeline, page)];
  const head = ['| setting | default | prop in your own app | what it does |', '|---|---|---|---|'];
  return Object.values(headings)
    .map((heading) => {
      const rows = lines.filter((row) => row.heading === heading).map((row) => row.line);
      return [`## ${heading}`, '', ...head, ...rows].join('\n');
    })
    .join('\n\n');
}

interface Line {
  readonly heading: string | undefined;
  readonly line: string;
}

/** Writes the lines of a group, and below the line of a group in it those of its props. */
function linesOf(group: GroupName, around: string | undefined, page: string): readonly Line[] {
  return rowsOf(group).flatMap(([prop, row]) => {
    const path = pathOf(group, prop);
    const isGroup = isGroupName(path) && hasSetting(path);
    const heading = isGroup ? (headings[path] ?? around) : around;
    const own = isShown(path, row, group) ? [{ heading, line: propLine(path, row, page) }] : [];
    return isGroup ? [...own, ...linesOf(path, heading, page)] : own;
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

function propLine(path: string, row: Row, page: string): string {
  const about = aboutProp(path);
  const [name, value] = row.setting === undefined ? ['none', undefined] : settingCells(row.setting);
  return line([name, value ?? presetOf(about)], `\`${path}\``, about, page, row);
}

/** Returns what stands for a default that is no value of the setting. */
function presetOf({ preset = '' }: DocumentedProperty): string {
  if (!preset.startsWith('- ')) return preset === '' ? 'none' : `\`${preset}\``;
  return preset
    .slice('- '.length)
    .replaceAll(/\{@link (\w+)\}/g, '`$1`')
    .replaceAll('|', '\\|');
}

/** Writes the name of a setting, and its default with the other choices if it has some. A default that is an object is not shown. */
function settingCells({ name, schema, choices = [] }: Setting): [name: string, value: string | undefined] {
  const value: unknown = schema.parse(undefined) ?? '';
  const preset = typeof value === 'object' ? '' : String(value);
  const others = choices.filter((word) => word !== preset).map((word) => `\`${word}\``);
  const choice = others.length === 0 ? '' : `, or ${others.join(', ')}`;
  return [`\`sms:${name}\``, preset === '' ? undefined : `\`${preset}\`${choice}`];
}

/** Writes the first sentence of the comment, and a link to the page that the comment names. */
function meaning({ text, see }: About, page: string): string {
  const [sentence = text] = /^.*?[.!](?= |$)/.exec(text) ?? [];
  const target = see && posix.relative(posix.dirname(page), see);
  const more = target === undefined ? '' : ` [More](${target})`;
  return `${sentence.replaceAll('|', '\\|')}${more}`;
}

function line(
  [name, value]: readonly [name: string, value: string | undefined],
  prop: string,
  about: About,
  page: string,
  row?: Row,
): string {
  const [text, more = ''] = meaning(about, page).split(/(?= \[More\])/);
  const limits = row?.kind === 'option' && row.limits !== undefined ? ` ${row.limits}` : '';
  const zero = row?.kind === 'option' && row.isZeroForNone ? ' `0` switches this off.' : '';
  return `| ${name} | ${value ?? 'none'} | ${prop} | ${text}${limits}${zero}${more} |`;
}
