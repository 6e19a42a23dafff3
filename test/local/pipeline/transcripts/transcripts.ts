import { globSync, readFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { contractHash } from '../../../../contract/events/body.ts';
import type { TestBed } from '../../../../tools/drills/grants/test-bed.ts';
import { helpExamples } from '../../../../tools/generate/cli-reference.ts';
import { shippedContract } from '../../../../tools/support/contracts.ts';
import { until } from '../../../../tools/support/until.ts';
import { type DocExample, docExamples, shortOf, wordsOf } from '../../../support/doc-examples.ts';
import { commandLine } from '../../../unit/cli/support/harness.ts';
import type { Started } from '../post-signed.ts';
import { durations, fixedClock, type Names, normalise, realTime } from './normalise.ts';
import {
  type Seed,
  seedCaptures,
  seedContact,
  seedDeadLetters,
  seedDrift,
  seedHistory,
  seedImport,
  seedKnown,
  seedQuarantine,
  seedSecret,
  untilCounted,
} from './seed.ts';
import { openSession } from './session.ts';

const project = resolve(import.meta.dirname, '../../../..');

interface Page {
  readonly seeds?: readonly Seed[];
  /** Whether commands read the time of this machine, as the functions do, instead of 12:30 of the seeded day. */
  readonly isNow?: boolean;
  /**
   * Commands after which the page can be played again. It is where a command fails whose transcript does not: while the machine has much
   * else to do, the calls of the setup function time out.
   */
  readonly restore?: readonly string[];
  /** What only this page has a name for. */
  readonly names?: Names;
  /** Texts for the places of examples. */
  readonly places?: Readonly<Record<string, string>>;
}

/** The pages in this folder, in the order in which they run. */
const pages: Readonly<Record<string, Page>> = {
  program: {},
  init: {},
  message: {
    seeds: [seedHistory],
    names: [
      [/(?<="generation": ")[0-9a-f]{12}/g, '{random}'],
      [/(?<="expiresAt": )\d+/g, '{seconds}'],
    ],
  },
  // Other suites add to the history, and to what it has of each kind.
  history: {
    names: [
      [/^\| (?:quarantined|erasure) .*\n/gm, ''],
      [/(?<=^\| (?:message|reply|opt-out) +equal +)\d+/gm, '{count}'],
      [/\d+(?= items)|(?<=, of )\d+/g, '{count}'],
      [/(?<=\S) {2,}(?=\S)/g, '  '],
    ],
  },
  number: {},
  send: { seeds: [untilCounted] },
  // Other suites add to the history.
  insights: {
    names: [
      [
        /(?<=Recounted )\d+ messages and replies, and compared \d+/g,
        '{count} messages and replies, and compared {count}',
      ],
    ],
  },
  reply: {},
  'opt-out': {},
  // A body has the real day.
  'dead-letter': { seeds: [seedDeadLetters], names: [[/(?<=bodyBase64\\":\\")[\w+/=]+/g, '{body}']] },
  quarantine: {
    seeds: [seedQuarantine],
    places: { '<request id>': 'req-0001', '<id>': '2026-01-15T12:00:05.000Z#req-0001#0' },
  },
  contract: {
    seeds: [seedCaptures],
    names: [
      [/[\d,]+(?= candidates tried)/g, '{count}'],
      [/(?<=mine\.json \()[\w-]{12}(?=\))/g, '{hash}'],
      // One preset stands for all: each has tests of its own.
      [/\n\|\n\| \{project\}\/contract\/presets\/(?!twilio)[\w-]+\.json(?:\n\| .+)+/g, ''],
    ],
  },
  'contract-service': { seeds: [seedDrift], isNow: true, restore: [] },
  events: {
    isNow: true,
    names: [[/^\| (?:STARTING|RUNNING).*\n/gm, '']],
    places: { NAME: 'Forward', $RULE: 'Forward' },
  },
  person: {
    places: {
      '<id>': '00000001-0000-4000-8000-000000000000',
      '<receipt id>': '00000001-0000-4000-8000-000000000000',
    },
  },
  api: { seeds: [seedContact], isNow: true, restore: [] },
  webhook: {
    seeds: [seedSecret],
    isNow: true,
    restore: ['sms webhook register', 'sms webhook rotate --force --no-overlap --confirm'],
  },
  doctor: {
    isNow: true,
    restore: [],
    names: [
      [/(?<=^\| queues +ok +).*/gm, '{queues}'],
      [/(?<=^\| counters +ok +).*/gm, '{counters}'],
      [/(?<=^\| lookups +ok +).*/gm, '{lookups}'],
      // Other suites send what the contract does not know.
      [/(?<=^\| contract-drift +warn +).*/gm, '{contract-drift}'],
    ],
  },
  lookup: { seeds: [seedKnown] },
  // The last page, because no other page shows imported messages.
  // The id of an import depends on the dates in its file.
  import: { seeds: [seedImport], names: [[/(?<=imp-)[0-9a-f]{32}/g, '{id}']] },
};

/** The lines about copies of the history: test/local/stores/guides.test.ts runs those that are for one pipeline. */
const isInGuideOfCopies = ({ path, line }: DocExample): boolean =>
  /^docs\/guides\/(?:restore|move|keep-for-years)\.md$/.test(path) &&
  line.startsWith('sms history ') &&
  !line.includes('--dir');

/** Examples that run in no transcript, with the reason. test/unit/cli/examples.io.test.ts parses them. */
const elsewhere = new Map([
  [
    'sms quarantine replay --ids-file quarantine.csv --dry-run',
    'reads a file that was downloaded; replay.io.test.ts has one',
  ],
  ...['sms lookup --since 1h --dry-run', 'sms lookup --since 1h', 'sms message get lost-1'].map(
    (line) =>
      [line, 'needs a report that the sandbox lost a moment ago: the drill `lookups` has many'] as const,
  ),
  [
    'sms webhook store-secret --accept-mismatch --secret-file secret.txt',
    'needs a contract that is not deployed yet; contract-file.test.ts has one',
  ],
  ...[
    'sms webhook store-secret --contract twilio',
    'sms webhook test --contract twilio --status undelivered',
  ].map((line) => [line, 'needs a pipeline of Twilio with registration off'] as const),
  ...[
    'sms doctor --contract twilio',
    'sms webhook store-secret --contract twilio --secret-file secret.txt',
  ].map((line) => [line, 'is about a pipeline in an own app, with another contract'] as const),
  [
    'sms webhook test --stack MyStack --contract twilio --kind reply --text stop',
    'needs an own app on this machine: own-app.test.ts runs one',
  ],
  ...[
    'sms message export --since 30d --jsonl --out stored.jsonl',
    'sms message import stored.jsonl --mapping repair.json --dry-run',
    'sms message import stored.jsonl --mapping repair.json --confirm',
    'sms message get map-0',
  ].map(
    (line) =>
      [line, 'is about a word of an earlier contract; the page shows what a local run printed'] as const,
  ),
  ...[
    'local',
    'prod/eu-west-1/SmsPipeline',
    'prod/eu-west-1/MyStack',
    'prod/us-east-1/SmsPipeline',
    'stage/us-east-1/SmsStage',
  ].map(
    (target) =>
      [
        `sms target ${target}`,
        'writes into the folder of the caller: test/unit/bin/run-sms.io.test.ts',
      ] as const,
  ),
  ...[
    'history join --from-table sms-restored --dry-run',
    'history join --from-table sms-restored --confirm',
    'history compare --from-table sms-restored',
  ].map((line) => [`sms ${line}`, 'needs other tables: test/local/stores/join.test.ts has some'] as const),
  ...[
    'sms webhook test --dir ~/sms-old --message-id hello-1',
    'sms history export --out local.jsonl --dir ~/sms-old',
    'sms history join --from-file local.jsonl --confirm --dir ~/sms-new',
    'sms message get hello-1 --dir ~/sms-new',
    'sms history join --from-file history-2026.jsonl.gz --confirm --dir ~/sms-archive',
    'sms number show +1 202 555 0143 --dir ~/sms-archive',
  ].map((line) => [line, 'needs a second pipeline on this machine'] as const),
  ...[
    'sms target new/eu-west-1/SmsPipeline',
    'sms outputs --profile old --region us-east-1',
    'sms doctor --no-send --profile old --region us-east-1',
  ].map((line) => [line, 'needs two pipelines on AWS'] as const),
  ...['dry-run', 'confirm'].map(
    (option) =>
      [
        `sms message import --undo imp-670e7c8c33353e23e8160039594a3389 --${option}`,
        'the id depends on the dates in the file: import-undo.test.ts undoes imports',
      ] as const,
  ),
  ['sms message get $id', 'is in a loop of the shell'],
  ...[
    'sms contract test --contract config/contract.json',
    'sms contract test --contract config/contract-new.json --file capture.http --secret-file secret.txt',
  ].map(
    (line) => [line, 'needs a contract of its own in this folder: contract-test.test.ts has some'] as const,
  ),
  [
    'sms opt-out add +1 202 555 0143 --reason STOP of 03:00, lost in the outage',
    'is the command of opt-out.txt with another reason',
  ],
  ...['MyStack --json', 'SmsPipeline'].map(
    (stack) => [`sms access --stack ${stack}`, 'asks AWS: access.test.ts has answers'] as const,
  ),
  ['sms doctor --stack MyStack --json', 'a construct is deployed, so the command would ask AWS'],
  ...[
    'sms contract discover --secret-from-service --write',
    'sms contract discover --secret-file secret.txt --write',
  ].map((line) => [line, 'writes the contract of the project; with --contract mine.json it runs'] as const),
  ...[
    'sms webhook store-secret --source backup --secret-file secret.txt',
    'sms webhook store-secret --source backup',
    'sms doctor --source backup',
    'sms webhook test --source backup --message-id hello-1',
    'sms webhook test --source backup --kind reply --text STOP',
    'sms message get 0A00000012345678',
    'sms message get backup/0A00000012345678',
    'sms message list --since 7d --source backup',
    'sms insights --since 7d --source backup',
    'sms insights --since 30d --by country --source backup',
  ].map((line) => [line, 'needs a pipeline with several sources: the drill `sources` has one'] as const),
]);

/** Commands that run for long, or need AWS: other tests run them, and pages show their help. */
const longRunning = /^sms (?:start|demo|deploy|console|mcp)\b/;

const maxTries = 4;
const failures = (transcript: string) => transcript.split('\n[exit 1]').length;

const fileOf = (name: string) => join(import.meta.dirname, `${name}.txt`);
const commandsOf = (name: string) =>
  readFileSync(fileOf(name), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('$ '))
    .map((line) => line.slice(2));

export function commandsAnswer(bed: Started<TestBed>): void {
  it.each(Object.entries(pages))('%s.txt is what the commands answer', async (name, page) => {
    const { pipeline } = bed();
    const { directory, outputs } = pipeline;
    const settle = () => pipeline.untilQueueIsEmpty(outputs.EventsQueueUrl);
    const play = async () => {
      const { folder, run } = openSession(directory, page.isNow === true ? Date.now : fixedClock);
      for (const seed of page.seeds ?? []) await seed(pipeline, folder);
      await settle();
      const names: Names = [
        [relative(folder, project), '{project}'],
        [folder, '{folder}'],
        [directory, '{run}'],
        [project, '{project}'],
        [contractHash(shippedContract), '{hash}'],
        ...(page.isNow === true ? durations : []),
        ...(page.names ?? []),
      ];
      const blocks: string[] = [];
      for (const command of commandsOf(name)) {
        let line = command;
        for (const [place, text] of Object.entries(page.places ?? {})) line = line.replaceAll(place, text);
        const answer = await run(realTime(line));
        blocks.push(`$ ${command}\n${normalise(answer, names, page.isNow === true ? 0 : undefined)}`);
        await settle();
      }
      return `${blocks.join('\n\n')}\n`;
    };
    const recorded = readFileSync(fileOf(name), 'utf8');
    let played = await play();
    for (
      let tries = 1;
      page.restore && tries < maxTries && failures(played) > failures(recorded);
      tries += 1
    ) {
      const { run } = openSession(directory, Date.now);
      for (const line of page.restore) await until(line, async () => !(await run(line)).endsWith('[exit 1]'));
      played = await play();
    }
    await expect(played).toMatchFileSnapshot(fileOf(name));
  });

  it('has a page for each file of the folder', () => {
    const files = globSync('*.txt', { cwd: import.meta.dirname }).map((file) => basename(file, '.txt'));
    expect(files.sort()).toEqual(Object.keys(pages).sort());
  });

  const canonical = (line: string) =>
    wordsOf(shortOf(line))
      .filter((word) => word !== '--local')
      .join(' ');
  const played = new Set(Object.keys(pages).flatMap(commandsOf).map(canonical));

  it('has every command', () => {
    const missing = commandLine()
      .commands()
      .map(({ words }) => `sms ${words}`)
      .filter((words) => ![...played].some((line) => `${line} `.startsWith(`${words} `)));
    expect(missing).toEqual([]);
  });

  it('has every example of the documentation and of the help', () => {
    // One preset stands for all.
    const withTwilio = (line: string) => line.replace(/^(sms contract test --contract) [\w-]+$/, '$1 twilio');
    const lines = [
      ...docExamples()
        .filter((example) => !isInGuideOfCopies(example))
        .map(({ line }) => line),
      ...helpExamples(),
    ];
    const examples = new Set(lines.map((line) => withTwilio(canonical(line))));
    expect(
      [...examples].filter((example) => !played.has(example) && !longRunning.test(example)).sort(),
    ).toEqual([...elsewhere.keys()].sort());
  });
}
