import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ExportBatch } from '../../../../cli/stores/history-tables.ts';
import { commandLine, type Parts } from '../support/harness.ts';

const commands: [command: string, text: string, refused: string][] = [
  ['person erase +12025550143', '(--dry-run only lists it): --confirm deletes it.', 'Nothing was deleted.'],
  ['webhook deactivate', '--confirm deactivates the webhook.', 'Nothing was changed.'],
  ['webhook rotate --no-overlap', '--confirm drops it.', 'Nothing was rotated.'],
  ['message export --since 2h --csv', '--confirm exports it.', 'Nothing was exported.'],
  ['api DELETE /v1/x', '--confirm sends it.', 'Nothing was sent.'],
];

/** A pipeline with a large history whose every change is counted. */
function pipeline(terminal: Parts['terminal'] = {}) {
  let changes = 0;
  const change = () => {
    changes += 1;
    return Promise.reject(new Error('changed'));
  };
  const size = async () => ({ tableBytes: 2e9, indexBytes: 1e9, keys: 1, tableId: 't' });
  async function* batches(): AsyncGenerator<ExportBatch, void> {
    yield await change();
  }
  const historyExport = async () => ({ size, batches });
  const connection = { invokeSetup: change, waiting: change, historyExport };
  const { sms } = commandLine({ connection, terminal });
  return { run: (command: string) => sms(...command.split(' ')), changes: () => changes };
}

describe.each(commands)('%s', (command, text, refused) => {
  it('needs --confirm without a terminal', async () => {
    const { run, changes } = pipeline();
    const { code, err } = await run(command);
    expect([code, changes()]).toEqual([2, 0]);
    // It says what to type, so that no example follows.
    expect(err).toContain(text);
    expect(err).toMatch(/ The pipeline is [^\n]+\.\n$/);
  });

  it.each(['', 'n', 'yess'])('changes nothing on a terminal after the answer "%s"', async (answer) => {
    const { run, changes } = pipeline({ ask: async () => answer });
    const { code, err } = await run(command);
    expect([code, changes()]).toEqual([1, 0]);
    expect(err).toContain(refused);
  });

  it.each(['y', ' YES '])('goes on after the answer "%s", or with --confirm', async (answer) => {
    const asked = pipeline({ ask: async () => answer });
    await asked.run(command);
    const confirmed = pipeline();
    await confirmed.run(`${command} --confirm`);
    expect([asked.changes(), confirmed.changes()]).toEqual([1, 1]);
  });
});

afterEach(() => vi.unstubAllEnvs());

describe('the pipeline of a change', () => {
  const target = { local: false, profile: 'prod', region: 'eu-west-1', stack: 'Sms' };
  const named = { target, from: '/app/.smsrc' };

  it('and the number, as it was read, are in the question', async () => {
    const asked: string[] = [];
    const ask = async (question: string) => {
      asked.push(question);
      return 'n';
    };
    const { sms } = commandLine({ targetSources: { named }, terminal: { ask } });
    await sms('person', 'erase', '202-555-0143', '--country', 'US');
    await sms('person', 'erase', '202-555-0143', '--country', 'US', '--reveal', '--local');
    const question = 'This permanently deletes everything that is stored about';
    expect(asked).toEqual([
      `${question} •••0143 (US) (--dry-run only lists it). The pipeline is prod/eu-west-1/Sms. Go on? [y/N] `,
      `${question} +12025550143 (--dry-run only lists it). The pipeline is local. Go on? [y/N] `,
    ]);
  });

  it.each([
    [{ named }, [], 'Working with prod/eu-west-1/Sms, chosen by /app/.smsrc.\n'],
    [
      { project: { target: { stack: 'Shop' }, from: 'sms:stackName in /app' } },
      [],
      'Working with the stack Shop in the default region, with the default credentials, chosen by sms:stackName in /app.\n',
    ],
    [{ named }, ['--profile', 'dev'], ''],
  ])(
    'with %j and %j is shown with --confirm, unless options alone name it',
    async (targetSources, options, line) => {
      for (const name of ['AWS_PROFILE', 'AWS_REGION', 'AWS_DEFAULT_REGION']) vi.stubEnv(name, '');
      const connection = { invokeSetup: async () => ({ answer: {}, redacted: [] }) };
      const { sms } = commandLine({ targetSources, connection });
      const answer = await sms('api', 'DELETE', '/v1/x', '--confirm', ...options);
      expect(answer).toEqual({ code: 0, out: '{}\n', err: line });
    },
  );

  it.each([
    'opt-out add +12025550143 --reason asked',
    'contract capture on',
    'contract capture off',
    'webhook register',
    'webhook reconcile',
  ])('is shown before a change that asks nothing: %s', async (command) => {
    const { sms } = commandLine({ targetSources: { named } });
    const shown = 'Working with prod/eu-west-1/Sms, chosen by /app/.smsrc.\n';
    expect((await sms(...command.split(' '))).err).toMatch(shown);
  });

  it('is not shown before an answer', async () => {
    const { sms } = commandLine({ targetSources: { named } });
    expect((await sms('opt-out', 'list')).err).not.toMatch('Working with');
  });
});
