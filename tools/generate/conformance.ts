import { allFacts } from '../published/all-facts.ts';
import {
  type PublishedFacts,
  type PublishedFields,
  type Source,
  type Subject,
  subjects,
} from '../published/published-facts.ts';
import { providerPage } from './preset-lists.ts';

/** Makes the table of what each preset was compared with, in Markdown. */
export function conformanceTable(): string {
  const rows = allFacts
    .flatMap((facts) => facts.presets.map((preset) => ({ preset, facts })))
    .toSorted((a, b) => (a.preset < b.preset ? -1 : 1))
    .map(({ preset, facts }) => [
      `[\`${preset}\`](${providerPage(preset)})`,
      ...Object.values(columns).map((sourcesOf) => cellOf(sourcesOf(facts))),
    ]);
  const head = ['preset', ...Object.keys(columns)];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const ofFields = (of: PublishedFields['of']) => (facts: PublishedFacts) =>
  facts.fields.filter((fields) => fields.of === of).map(({ source }) => source);

const ofWords =
  (...of: readonly string[]) =>
  (facts: PublishedFacts) =>
    facts.words.filter((words) => of.includes(words.of)).map(({ source }) => source);

const columns = {
  signature: ({ signature = [] }: PublishedFacts) => signature,
  reports: ofFields('report'),
  replies: ofFields('reply'),
  statuses: ofWords('statuses', 'lookup statuses'),
  errors: ofWords('errors'),
  lookups: ofFields('lookup'),
  registration: ({ registration = [] }: PublishedFacts) => registration,
} as const;

function cellOf(sources: readonly Source[]): string {
  return [...new Set(sources.map(shortNameOf))].join(', ');
}

/** Names a source in a cell: a repository by its owner and name, a package by its version, as there is one of a provider. */
function shortNameOf({ name, from, version }: Source): string {
  if (from === 'GitHub') return name.split(',', 1)[0] ?? name;
  return version === undefined ? 'a page' : `${from} ${version}`;
}

/** What docs/providers/index.md says of most presets, what is in the lines "Signs", and what is in the table of docs/operate/outage.md. */
const saidElsewhere =
  /^No field says that a report is the last one\.$|^No test call is documented for the time|^Nothing is signed\.$| signs nothing\.$|^How long .+ retries/;

/** Makes the part of a provider's page that says what its presets were compared with, and what could not be had. */
export function heldAgainst(page: string): string {
  const ofPage = allFacts.filter(({ presets }) => presets.some((preset) => providerPage(preset) === page));
  const sources = new Map(ofPage.flatMap(sourcesOf).map((source) => [nameOf(source), source]));
  const compared = [...sources].map(([name, { from, date }]) => `- ${name} (${from}, ${date})`);
  const lacks = ofPage.flatMap(({ presets, lacks }) =>
    subjects.flatMap((subject) =>
      lacks[subject] === undefined || saidElsewhere.test(lacks[subject])
        ? []
        : [{ presets, subject, why: lacks[subject] }],
    ),
  );
  return [
    'The presets of this page were compared with:',
    compared.join('\n'),
    ...(lacks.length === 0 ? [] : ['They lack:', listOf(lacks, ofPage.length > 1)]),
  ].join('\n\n');
}

interface Lack {
  readonly presets: readonly string[];
  readonly subject: Subject;
  readonly why: string;
}

/** Lists what is missing. Presets that lack the same for the same reason share a line. */
function listOf(lacks: readonly Lack[], namesPresets: boolean): string {
  const lines = Map.groupBy(lacks, ({ subject, why }) => JSON.stringify([subject, why]));
  return [...lines.values()]
    .map((same) => {
      const [{ subject, why } = { subject: '', why: '' }] = same;
      const names = same.flatMap(({ presets }) => presets.map((preset) => `\`${preset}\``)).join(', ');
      return `- **${subject}**${namesPresets ? ` (${names})` : ''}: ${why}`;
    })
    .join('\n');
}

function sourcesOf({ signature = [], fields, words, registration = [] }: PublishedFacts): readonly Source[] {
  return [
    ...signature,
    ...fields.map(({ source }) => source),
    ...words.map(({ source }) => source),
    ...registration,
  ];
}

function nameOf({ name, version }: Source): string {
  return version === undefined ? name : `\`${name}\` ${version}`;
}
