import { contractHash } from '../../../contract/events/body.ts';
import { formatCount } from '../../../functions/base/basics.ts';
import { namingSource } from '../../../functions/base/commands-of-source.ts';
import {
  judgeAlarms,
  judgeDeadLetters,
  judgeQueues,
  judgeVerified,
  skipped,
  type Verdict,
} from '../../../functions/query/index.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { readContractIfAny } from '../../input/contract-file.ts';
import {
  addContractOption,
  addTargetOptions,
  type ContractOptions,
  type TargetOptions,
  targetOf,
  wholeNumber,
} from '../../input/options.ts';
import { printResult, type View } from '../../output/print.ts';
import type { Connection, Target } from '../../target/connection.ts';
import type { Context, Wait } from '../../target/context.ts';
import { CommandFailure } from '../../target/errors.ts';
import { readLookupStatus } from '../../target/stack/lookup-function.ts';
import type { StackState } from '../../target/stack/outputs.ts';
import { readReport } from '../../target/stack/setup-function.ts';
import { sanitize } from '../../text/sanitize.ts';
import { type Cell, type Format, renderTable } from '../../text/table.ts';
import { inspectQueue } from '../dead-letter/list.ts';
import { judgeDriftOf } from './contract-drift.ts';
import { judgeCounters } from './counters.ts';
import { hasPipeline, judgeConcurrency, judgeContract, judgeStack } from './deployment.ts';
import { type Check, type DoctorReport, doctorReport, explain, runChecks } from './finding.ts';
import { checksOfFurtherSources } from './further-sources.ts';
import { judgeLookups } from './lookups.ts';
import { type AlarmTest, judgeTopics, testAlarm } from './notifications.ts';
import { probePipeline, probeSteps, skipProbe } from './probe.ts';
import { judgeRetries } from './retries.ts';
import { judgeApiKey, judgeCapture, judgeReconcile, judgeSecret, judgeWebhookUrl } from './service.ts';
import { judgeSignature } from './signature.ts';

interface DoctorOptions extends TargetOptions, ContractOptions {
  readonly send: boolean;
  readonly testAlarm?: true;
  /** Seconds. */
  readonly wait: number;
}

const notes: CommandTexts = {
  output: doctorReport,
  examples: ['doctor', 'doctor --test-alarm', 'doctor --stack MyStack --json'],
  details:
    'It changes nothing except that it sends one delivery report about a made-up message, whose id begins with sms-doctor-, and removes that message again. It counts in the metrics, stays in the archive of the bus, and rules that you made see it. It is "delivered", which no automation of the pipeline acts on, except forward. --test-alarm sets one alarm of the pipeline off for each alarm topic, for about a minute. CloudWatch\'s record shows whether the topic accepted it; look yourself whether it arrived.',
};

/** Adds `doctor`, which checks a pipeline after its deployment. */
export function addDoctor(program: Command, context: Context): void {
  const command = program
    .command('doctor')
    .summary('check the pipeline after a deployment')
    .description(
      'Checks every part of a pipeline, sends a signed test event through its public URL, follows it to the history and the bus, and removes it.',
    )
    .option('--no-send', 'send no test event')
    .option('--test-alarm', 'send one test notification to each alarm topic')
    .option('--wait <seconds>', 'how long to wait for the test event', wholeNumber(1, 600), 60);
  addTargetOptions(addContractOption(command))
    .explain(notes)
    .action(async (options: DoctorOptions) => {
      const isContractNamed = command.getOptionValueSource('contract') === 'cli';
      const target = targetOf(options);
      const connection = context.connect(target);
      const checks = checksOf({
        options,
        isContractNamed,
        target,
        connection,
        context,
        wait: context.beginWaiting(),
      });
      const others = await checksOfFurtherSources(target, connection, context, setupLimitMs);
      const { healthy, checks: found } = await runChecks([...checks, ...others], context);
      const named = found.map(({ hint, ...verdict }) => ({
        ...verdict,
        hint: hint === null ? null : namingSource(hint, target.source),
      }));
      const report = doctorReport.parse({ healthy, checks: named });
      printResult(context, options, { json: () => report, text: (view) => render(report, view) });
      const count = report.checks.filter(({ state }) => state === 'failed').length;
      if (count > 0) throw new CommandFailure(`${formatCount(count, 'check')} failed.`);
    });
}

interface Examination {
  /** Whether --contract was given. */
  readonly isContractNamed: boolean;
  readonly options: DoctorOptions;
  readonly target: Target;
  readonly connection: Connection;
  readonly context: Context;
  readonly wait: Wait;
}

const noContract = 'there is no contract file here; --contract names one that equals the deployed contract';

const noLookups = 'they are off, so the pipeline does not notice lost reports (docs/operate/lookups.md)';

const needsOutputs = 'the outputs of the stack are needed';

const limitMs = 60_000;
/** The setup function answers within 90 seconds, whatever the service does. */
const setupLimitMs = 120_000;

function checksOf({
  options,
  isContractNamed,
  target,
  connection,
  context,
  wait,
}: Examination): readonly Check[] {
  const { clock } = context;
  const deploy = target.local ? 'npm start' : 'npm run deploy';
  const inspection = once(() => connection.inspection());
  const stack = once(async () => (await inspection()).stack());
  const contract = once(async () => readContractIfAny(options.contract, isContractNamed));
  const report = once(async () => readReport(await connection.invokeSetup({ action: 'status' })));
  const queues = once(async () => (await inspection()).queues());
  const topics = once(async () => (await inspection()).topics());
  const probe = once(async () => {
    if (!options.send) return skipProbe('--no-send');
    // The test event is not to be counted as a waiting one.
    await queues().catch(() => undefined);
    const settings = { connection, context, wait, target, waitMs: options.wait * 1000 };
    return contract()
      .then(async (known) => {
        if (known === undefined) return skipProbe(noContract);
        // The worker would not read an event of another contract, and alarms would go off.
        const deployed = await output('ContractHash');
        if (deployed !== undefined && deployed !== contractHash(known))
          return skipProbe('the contract at hand is not the deployed one: see contract');
        return probePipeline({ ...settings, contract: known });
      })
      .catch((error: unknown) => ({ ...skipProbe('no event was sent'), webhook: explain(error) }));
  });
  /** A check of the setup function's report. The check api-key says why there is none. */
  const ofReport =
    (judge: (found: Awaited<ReturnType<typeof report>>) => Verdict | Promise<Verdict>) => async () => {
      const found = await report().catch(() => undefined);
      return found === undefined ? skipped('the setup function gave no report: see api-key') : judge(found);
    };
  const output = async (name: string) => (await stack())?.outputs[name];
  const hasLookups = async () => (await output('LookupFunctionName')) !== undefined;
  const tryAlarm = async (severity: AlarmTest['severity'], names: string) => {
    if (target.local) return skipped('there are no alarms on this machine');
    const alarms = await (await inspection()).alarms();
    const found = (await output(names))?.split(',');
    return testAlarm(await topics(), alarms, { severity, names: found, now: clock(), wait });
  };
  /** Skips a check that needs the outputs. The check outputs says why there are none. */
  const check = (name: string, run: () => Promise<Verdict>, limit = limitMs): Check => ({
    name,
    limitMs: limit,
    run: async () => ((await isThere(stack)) ? run() : skipped(needsOutputs)),
  });

  return [
    { name: 'outputs', limitMs, run: async () => judgeStack(await stack(), deploy) },
    check('concurrency', async () =>
      target.local
        ? skipped('there are no quotas on this machine')
        : judgeConcurrency(await (await inspection()).maxConcurrency()),
    ),
    check('contract', async () => {
      const known = await contract();
      if (known === undefined) return skipped(noContract);
      const deployed = await output('ContractHash');
      return judgeContract(deployed, contractHash(known), options.contract, target.local);
    }),
    check('api-key', async () => judgeApiKey(await report(), await hasLookups()), setupLimitMs),
    check(
      'webhook-url',
      ofReport(async (found) => judgeWebhookUrl(found, await connection.webhookUrl())),
      setupLimitMs,
    ),
    check(
      'webhook-secret',
      ofReport(async (found) => judgeSecret(found, (await contract())?.webhook.signature.scheme, clock())),
      setupLimitMs,
    ),
    check(
      'reconcile',
      ofReport((found) => judgeReconcile(found, clock())),
      setupLimitMs,
    ),
    check(
      'verified',
      ofReport((found) => judgeVerified(found, clock())),
      setupLimitMs,
    ),
    check('retries', async () => {
      const known = await contract();
      if (known === undefined) return skipped(noContract);
      return judgeRetries(known.webhook, await hasLookups());
    }),
    check('signature', async () => {
      const known = await contract();
      return known === undefined ? skipped(noContract) : judgeSignature(known);
    }),
    check(
      'lookups',
      async () =>
        (await hasLookups())
          ? judgeLookups(readLookupStatus(await connection.invokeLookups({ action: 'status' })), clock())
          : skipped(noLookups),
      setupLimitMs,
    ),
    check('contract-drift', () => judgeDriftOf(connection, target.source, clock())),
    check('capture', async () => judgeCapture(await (await connection.captureSwitch()).until(), clock())),
    check('queues', async () => judgeQueues(await queues(), !target.local)),
    check('dead-letters', async () => {
      const queues = await Promise.all((await connection.deadLetterQueues()).map(inspectQueue));
      return judgeDeadLetters(queues, clock());
    }),
    check('counters', async () => {
      if ((await output('InsightsTableName')) === undefined) return skipped('insights is off');
      const { oldestUncounted } = await connection.recount(context.newId);
      return judgeCounters(await oldestUncounted(), clock());
    }),
    check('alarms', async () =>
      target.local
        ? skipped('there are no alarms on this machine')
        : judgeAlarms(await (await inspection()).alarmsOn()),
    ),
    check('topics', async () => judgeTopics(await topics(), target.local)),
    ...(options.testAlarm === true
      ? [
          check('test-alarm', () => tryAlarm('ticket', 'TicketAlarmNames')),
          check('test-page', () => tryAlarm('page', 'PageAlarmNames')),
        ]
      : []),
    ...probeSteps.map((step) =>
      check(step, async () => (await probe())[step], options.wait * 1000 + limitMs),
    ),
  ];
}

/** Returns whether there is a pipeline to examine; the check outputs reports why there is none. */
async function isThere(stack: () => Promise<StackState | undefined>): Promise<boolean> {
  return stack().then(
    (found) => found !== undefined && hasPipeline(found),
    () => false,
  );
}

/** Makes a function that runs once, however often it is called. */
function once<T>(run: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= run();
    return result;
  };
}

const formats: Readonly<Record<Verdict['state'], Format>> = {
  ok: 'green',
  warn: 'yellow',
  failed: 'red',
  skipped: 'dim',
};

function render({ checks }: DoctorReport, view: View): string {
  const shown = checks.filter(({ found }) => found !== needsOutputs);
  const rows = shown.flatMap(({ check, state, found, hint }): Cell[][] => [
    [{ text: check }, { text: state, format: formats[state] }, { text: sanitize(found) }],
    ...(hint?.split('\n') ?? []).map((line): Cell[] => [
      { text: '' },
      { text: '' },
      { text: `→ ${sanitize(line)}`, format: 'bold' },
    ]),
  ]);
  const table = renderTable([{ title: 'CHECK' }, { title: 'STATE' }, { title: 'FOUND' }], rows, view);
  const of = (state: Verdict['state']) => checks.filter((finding) => finding.state === state).length;
  const counts = (['ok', 'warn', 'failed', 'skipped'] as const).flatMap((state) =>
    of(state) === 0 ? [] : [`${of(state)} ${state}`],
  );
  const reason = shown.length === checks.length ? '' : `, because ${needsOutputs}`;
  return `${table}\n\n${counts.join(', ')}${reason}`;
}
