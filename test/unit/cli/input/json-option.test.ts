import { expect, it } from 'vitest';
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
  [['message', 'follow', 'm-1', '--json', 'final'], { final: true }],
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

it('names the outputs of a pipeline, which no schema knows', async () => {
  const { sms } = commandLine({ connection: { outputs: async () => ({ 'Sms-Events': { BusName: 'b' } }) } });
  expect(JSON.parse((await sms('outputs', '--json', 'Sms-Events')).out)).toEqual({
    'Sms-Events': { BusName: 'b' },
  });
  expect(await sms('outputs', '--json', 'Bus')).toMatchObject({
    code: 2,
    err: expect.stringContaining(
      '"Bus" is not a field. Expected one or more of these, separated by commas: Sms-Events.',
    ),
  });
});
