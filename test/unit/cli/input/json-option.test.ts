import { describe, expect, it } from 'vitest';
import { memoryQuarantine } from '../../../support/fakes/quarantine.ts';
import { commandLine, historyOf, message, reply } from '../support/harness.ts';

const delivered = message('m-1', [{ status: 'delivered', second: 5 }]);
const history = { connection: historyOf([delivered], [reply('r-1', 7, 'Yes')]) };

it('is there exactly where the command has a schema of its documents', () => {
  const commands = commandLine().commands();
  expect(commands.length).toBeGreaterThan(30);
  for (const { words, command } of commands)
    expect([words, command.options.some(({ long }) => long === '--json')]).toEqual([
      words,
      command.texts.output !== undefined,
    ]);
});

it.each([
  [['message', 'get', 'm-1', '--json', 'status,messageId'], { status: 'delivered', messageId: 'm-1' }],
  [['message', 'get', 'm-1', '--follow', '--json', 'final'], { final: true }],
  [['reply', 'list', '--json', 'text'], { entries: [{ text: 'Yes' }], next: null }],
  // A field that only one kind of entry has.
  [
    ['number', 'show', '+12025550143', '--json', 'kind, replyId'],
    { entries: [{ kind: 'reply', replyId: 'r-1' }, { kind: 'message' }], next: null },
  ],
])('%j writes only the fields it names', async (args, document) => {
  const { out, err } = await commandLine(history).sms(...args);
  expect(err).toBe('');
  expect(JSON.parse(out)).toEqual(document);
});

describe('every list', () => {
  const outputs = async () => ({ EventBusName: 'b' });
  const deadLetterQueues = async () => [];
  const quarantine = async () => memoryQuarantine([]);
  const drift = async () => async () => [];
  const connection = { ...history.connection, outputs, deadLetterQueues, quarantine, drift };
  const lists = commandLine()
    .commands()
    .filter(({ command }) => command.options.some(({ long }) => long === '--csv'));

  it('is one', () => {
    expect(lists.map(({ words }) => words)).toEqual([
      'message list',
      'message export',
      'number show',
      'send list',
      'send show',
      'insights show',
      'reply list',
      'opt-out list',
      'quarantine list',
      'dead-letter list',
      'dead-letter show',
      'contract diff',
      'contract drift',
      'outputs',
    ]);
  });

  it.each(lists.filter(({ command }) => command.texts.output !== undefined))(
    '$words has entries in JSON, and a header in CSV',
    async ({ words, command }) => {
      const { sms } = commandLine({ connection });
      const argument = command.registeredArguments.some(({ required }) => required) ? ['+12025550143'] : [];
      const json = await sms(...words.split(' '), ...argument, '--json');
      expect(json).toMatchObject({ code: 0, err: '' });
      const { entries, periods } = JSON.parse(json.out);
      expect(entries ?? periods).toBeInstanceOf(Array);
      const csv = await sms(...words.split(' '), ...argument, '--csv');
      expect(csv).toMatchObject({ code: 0, err: '' });
      expect(csv.out).toMatch(/^[a-zA-Z0-9]+(?:,[a-zA-Z0-9]+)+\r\n/);
    },
  );

  it.each([
    [['--json', 'name'], '{\n  "entries": [\n    {\n      "name": "EventBusName"\n    }\n  ]\n}\n'],
    [['--csv'], 'name,value\r\nEventBusName,b\r\n'],
  ])('that has no pages writes %j', async (args, out) => {
    expect(await commandLine({ connection }).sms('outputs', ...args)).toEqual({ code: 0, out, err: '' });
  });

  it.each([
    [['outputs', '--json', 'stack'], 'name, value'],
    [['dead-letter', 'show', '--json', 'queues'], 'queue, messageId, sentAt, receiveCount, body, kind,'],
    [['contract', 'discover', '--json', 'x'], 'captures, signature'],
  ])('%j names the fields', async (args, fields) => {
    const { code, err } = await commandLine({ connection }).sms(...args);
    expect(code).toBe(2);
    expect(err).toContain(`Expected one or more of these, separated by commas: ${fields}`);
  });
});
