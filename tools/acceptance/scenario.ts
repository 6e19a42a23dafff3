import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { InvokeCommand } from '@aws-sdk/client-lambda';
import * as z from 'zod';
import { doctorReport } from '../../cli/commands/doctor/finding.ts';
import { detailTypes } from '../../functions/publish/shapes.ts';
import type { PostResult } from '../../local/sms-service/poster.ts';
import { createRandom } from '../../local/sms-service/random.ts';
import { findAll } from '../engine/found.ts';
import { type Broken, judge } from '../engine/judge.ts';
import { errorText } from '../engine/print.ts';
import {
  courseOf,
  defaultRecipient,
  type Report,
  shuffledRepeats,
  variedReports,
} from '../engine/reports.ts';
import { type AcceptanceOptions, AcceptanceRun } from './acceptance-run.ts';
import { failuresIn } from './inbox.ts';
import { reportKey } from './service.ts';
import type { Site } from './site.ts';

/** What a step has found, and what of that must not be so. */
interface Found {
  readonly found: string;
  readonly broken: readonly string[];
}

interface Step extends Found {
  readonly name: string;
}

/** Milliseconds from a post to its answer, to the history, and to the queue of a subscription. */
type Latencies = Readonly<Record<'answered' | 'stored' | 'published', readonly number[]>>;

export interface Outcome {
  readonly steps: readonly Step[];
  readonly latencies: Latencies;
  /** Requests that were posted. */
  readonly posts: number;
  /** Events that came from the bus. */
  readonly published: number;
}

type PlayStep = (run: AcceptanceRun) => Promise<Found>;

/** Messages that are sent one after the other, to a pipeline with little else to do. */
const probes = 10;
const reportsPerMessage = 3.25;

/** More calls than one invocation of an automation makes: after them the event has been back in its queue. */
const minRefusals = 6;

/** More calls than the service gets while it is out of order: the step ends that. */
const maxRefusals = 1_000;

/** The message whose report is captured. */
const earlyMessage = 'early-key';

const held = (found: string): Found => ({ found, broken: [] });
const heldIf = (isGood: boolean, found: string): Found => ({ found, broken: isGood ? [] : [found] });

/** Returns reports of messages with different courses, to numbers of their own. */
function reportsOf(events: number): Report[] {
  const reports = variedReports(Math.ceil(events / reportsPerMessage) + 1, 0).slice(0, events);
  const numbers = new Map(
    [...new Set(reports.map(({ messageId }) => messageId))].map((id, index) => [id, index]),
  );
  return reports.map((report) => {
    const last = String((numbers.get(report.messageId) ?? 0) % 100).padStart(2, '0');
    return { ...report, to: `+120255501${last}` };
  });
}

/** Returns the steps in their order. @param since ISO time before the first event is published */
function stepsOf(
  { events, seed, pipeline }: AcceptanceOptions,
  since: string,
): readonly (readonly [string, PlayStep])[] {
  const reports = reportsOf(events);
  const arrivals = shuffledRepeats(reports, createRandom(seed));
  const third = Math.ceil(arrivals.length / 3);
  const failed = reports.filter(({ status }) => status === 'undelivered').length;
  return [
    ['the first secret', beginWithSecret],
    ['requests without a signature and with a foreign one', postForged],
    ['requests with an unknown key, captured', capture],
    [
      `${events} reports, shuffled and repeated: the first third`,
      (run) => send(run, arrivals.slice(0, third)),
    ],
    [
      'a rotation during the second third',
      (run) => send(run, arrivals.slice(third, 2 * third), run.rotate()),
    ],
    ['the last third, signed with both secrets', (run) => send(run, arrivals.slice(2 * third))],
    ['captured requests, replayed', replayCaptured],
    pipeline.hasSandbox
      ? ['a reply STOP, while the service refuses contacts', stopWhileDown]
      : ['a reply STOP', postStop],
    [`${probes} messages, one after the other`, probe],
    ['the alert about failed messages', (run) => awaitAlert(run, failed)],
    ['history and bus, compared with what was sent', compare],
    ['the figures of insights, compared with a recount', verifyInsights],
    ['the events, once more from the archive', (run) => replayArchive(run, since)],
    ['the erasure of a number', (run) => erase(run, reports[0])],
    ...(pipeline.hasConsole ? ([['the console', openConsole]] as const) : []),
    ['sms doctor', examine],
  ];
}

/** Plays all steps. A step with a wrong result does not end the run, one that cannot be carried out does. */
export async function playAcceptance(
  site: Site,
  options: AcceptanceOptions,
  say: (line: string) => void,
): Promise<Outcome> {
  await using run = new AcceptanceRun(site, options, await site.connection.webhookUrl());
  const { service, inbox } = run;
  const startedAt = Date.now();
  const steps: Step[] = [];
  for (const [name, play] of stepsOf(options, new Date(startedAt - 60_000).toISOString())) {
    const failure = (error: unknown) => ({
      found: 'not carried out',
      broken: [errorText(error)],
      isOver: true,
    });
    const { isOver, ...found } = { isOver: false, ...(await play(run).catch(failure)) };
    steps.push({ name, ...found });
    const seconds = `${((Date.now() - startedAt) / 1000).toFixed(0).padStart(4)} s`;
    say(`${seconds}  ${found.broken.length === 0 ? 'ok  ' : 'MISS'}  ${name}: ${found.found}`);
    if (isOver) break;
  }
  if (inbox.failure !== undefined)
    steps.push({ name: 'the receivers', found: 'failed', broken: [errorText(inbox.failure)] });
  const latencies = { answered: service.answeredMs, stored: run.storedMs, published: publishedMs(run) };
  return { steps, latencies, posts: service.posts, published: inbox.published.events };
}

const beginWithSecret: PlayStep = async (run) => {
  await run.begin();
  return held(
    run.options.pipeline.registration === 'off' ? 'stored by hand' : 'from the service, by registering',
  );
};

const postForged: PlayStep = async (run) => {
  const answers: PostResult[] = [];
  for (const [messageId, secret] of [
    ['unsigned', undefined],
    ['forged', run.foreignSecret],
  ] as const)
    answers.push(
      await run.service.report({ messageId, status: 'delivered', second: 2 }, secret, { isForged: true }),
    );
  return heldIf(
    answers.every((answer) => answer === 401),
    `answered ${answers.join(' and ')}`,
  );
};

/** The secret of the next rotation is unknown yet: an operator can have such requests captured, and replay them afterwards. */
const capture: PlayStep = async (run) => {
  const forged = { messageId: 'foreign-key', eventId: 'foreign-key-0', status: 'delivered', second: 2 };
  const genuine = courseOf(earlyMessage, ['sent'])[0];
  await run.sms('contract', 'capture', 'on', '--for', '30m');
  const capturing = (post: () => Promise<PostResult>) =>
    run.until('an instance of ingest captures', async () => (await post()) === 200);
  await capturing(() => run.service.report(forged, run.foreignSecret, { isForged: true }));
  if (run.options.pipeline.registration === 'off' && genuine !== undefined)
    await capturing(() => run.service.report(genuine, run.nextSecret.signing));
  await run.sms('contract', 'capture', 'off');
  const expected = run.options.pipeline.registration === 'off' ? 2 : 1;
  await run.until(
    'the captured requests are in quarantine',
    async () => (await reasons(run, 'captured')) === expected,
  );
  return held(`${expected} in quarantine`);
};

async function reasons({ site }: AcceptanceRun, reason: string): Promise<number> {
  const { quarantine } = await findAll(site);
  return [...quarantine.values()].flat().filter((one) => one === reason).length;
}

async function send(
  run: AcceptanceRun,
  reports: readonly Report[],
  meanwhile?: Promise<void>,
): Promise<Found> {
  const [others] = await Promise.all([run.send(reports), meanwhile]);
  const answers = [...others].map(([answer, times]) => `${times} times ${answer}`);
  return heldIf(others.size === 0, `${reports.length} requests, ${answers.join(', ') || 'all acknowledged'}`);
}

const replayCaptured: PlayStep = async (run) => {
  await run.smsByContract('quarantine', 'replay', '--reason', 'captured');
  await run.until('captured requests are judged again', async () => {
    return (await reasons(run, 'captured')) === 0 && (await reasons(run, 'signature-mismatch')) === 1;
  });
  const isByHand = run.options.pipeline.registration === 'off';
  return held(`${isByHand ? 'the one with the new secret stored, ' : ''}the forged one back in quarantine`);
};

const postStop: PlayStep = async (run) => {
  const result = await run.service.stop(run.secret());
  if (result === undefined) return held('left out: the contract cannot express it');
  return heldIf(result === 200, `answered ${result}`);
};

/** The contact of the number is made once the service accepts contacts again: the comparison waits for it. */
const stopWhileDown: PlayStep = async (run) => {
  const { sandbox } = run.site;
  if (sandbox === undefined) throw new Error('no sandbox');
  await sandbox.setFaults({ refuseContacts: { status: 503, calls: maxRefusals } });
  const posted = await postStop(run);
  await run.until('the service has refused a contact in two invocations', async () => {
    return maxRefusals - (await sandbox.refusalsLeft()) >= minRefusals;
  });
  await sandbox.setFaults({});
  return {
    ...posted,
    found: `${posted.found}; the service refused its contact ${minRefusals} times, and accepts contacts again`,
  };
};

const probe: PlayStep = async (run) => {
  const history = await run.site.connection.history();
  for (let index = 0; index < probes; index += 1) {
    const messageId = `alone-${index}`;
    const begun = performance.now();
    await run.send([
      { messageId, eventId: `${messageId}-0`, status: 'delivered', second: 2, to: defaultRecipient },
    ]);
    // The pause between two looks must not be the latency.
    const deadline = begun + run.site.patienceMs;
    while ((await history.message(messageId)) === undefined) {
      if (performance.now() > deadline) throw new Error(`${messageId} is not in the history`);
      await delay(50);
    }
    run.storedMs.push(performance.now() - begun);
  }
  return held('in the history');
};

/** Runs the alert as its schedule does, until its notices speak of all failed messages. */
async function awaitAlert(run: AcceptanceRun, failed: number): Promise<Found> {
  const { lambda, outputs } = run.site;
  const { notices } = run.inbox;
  await run.until('the notices speak of all failed messages', async () => {
    const alert = new InvokeCommand({ FunctionName: outputs.FailureAlertFunctionName, Payload: '{}' });
    const { FunctionError } = await lambda.send(alert);
    if (FunctionError !== undefined) throw new Error(`the alert failed: ${FunctionError}`);
    return failuresIn(notices) >= failed;
  });
  return held(`${failed} messages, ${notices.length} ${notices.length === 1 ? 'notice' : 'notices'}`);
}

/** Judges as the drills do, until all promises hold twice in a row, or patience ends. */
const compare: PlayStep = async (run) => {
  const { ledger, inbox, site } = run;
  const deadline = Date.now() + site.patienceMs;
  const [unpublished, givenUp] = [new Set<string>(), new Set<string>()];
  let broken: readonly Broken[] = [];
  for (let good = 0; good < 2 && Date.now() < deadline; await delay(site.pauseMs)) {
    const waiting = await run.waiting();
    const found = await findAll(site);
    for (const key of found.unpublished) unpublished.add(key);
    for (const body of found.givenUp) givenUp.add(body);
    // Without the sandbox the automation that makes contacts is off.
    const contacts =
      (await site.sandbox?.contacts()) ?? new Set([...ledger.replies.values()].map(({ number }) => number));
    const evidence = { published: inbox.published, contacts, waiting, leaks: [] };
    const stored = { ...found, unpublished: [...unpublished], givenUp: [...givenUp] };
    broken = judge(ledger, { ...evidence, found: stored }, { published: 'reports and changes' });
    good = broken.length === 0 ? good + 1 : 0;
  }
  const { events, repeats } = inbox.published;
  const retried = [...ledger.answers].filter(([answer]) => answer !== 200 && answer !== 401);
  const retries = retried.map(([answer, times]) => `, ${times} retried after ${answer}`).join('');
  return {
    found: `${ledger.acknowledged} reports once each${retries}, ${events} events on the bus, ${repeats} of them repeats`,
    broken: broken.map(({ what }) => what),
  };
};

/** A function that stopped to count leaves figures that are right at its position: so all must be counted before the comparison. */
const verifyInsights: PlayStep = async (run) => {
  const sources = await run.site.connection.recount(randomUUID);
  await run.until('every change is counted', async () => (await sources.oldestUncounted()) === undefined);
  const { code, out, err } = await run.site.sms('insights', 'verify');
  return heldIf(code === 0, (code === 0 ? out : `${out} ${err}`).trim().replaceAll(/\s+/g, ' '));
};

/** Replays to the rule of the run's own subscription until every event came again: the archive has an event some minutes later. */
async function replayArchive(run: AcceptanceRun, since: string): Promise<Found> {
  const { eventIds, replayedIds } = run.inbox;
  // CloudFormation's name of a rule begins with that of its bus.
  const rule = run.site.outputs.ReceivedRuleName?.split('|').at(-1) ?? '';
  let [startedAt, replays] = [0, 0];
  await run.until('every event came again', async () => {
    if (Date.now() - startedAt > run.site.replayEveryMs) {
      await run.sms('events', 'replay', '--since', since, '--until', 'now', '--rule', rule);
      startedAt = Date.now();
      replays += 1;
    }
    return [...eventIds].every((id) => replayedIds.has(id));
  });
  return held(`all ${eventIds.size}, in ${replays} ${replays === 1 ? 'replay' : 'replays'}`);
}

const timelineSchema = z.object({ entries: z.array(z.unknown()) });

async function erase(run: AcceptanceRun, report: Report | undefined): Promise<Found> {
  const { to: number = defaultRecipient, messageId = '' } = report ?? {};
  const entries = async () =>
    timelineSchema.parse(JSON.parse(await run.sms('number', 'show', number, '--json'))).entries.length;
  const before = await entries();
  await run.sms('person', 'erase', number, '--confirm');
  await run.until('nothing is found about the number', async () => (await entries()) === 0);
  const { code } = await run.site.sms('message', 'get', messageId);
  const found = `${before} ${before === 1 ? 'entry' : 'entries'} of the number before, none after`;
  return heldIf(before > 0 && code === 1, code === 1 ? found : `${found}, and its message is still there`);
}

/** Opens the page as a browser does, and asks the API behind it as a visitor who has not signed in. */
const openConsole: PlayStep = async ({ site: { consoleUrl = '' } }) => {
  const visit = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${consoleUrl}${path}`, { headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const [page, config] = [await visit('/messages/any-message'), await visit('/config.json')];
  const script = /src="(\/assets\/[^"]+)"/.exec(page.text)?.[1] ?? '/assets/none';
  const unsigned = await visit('/session');
  const forged = await visit('/v1/messages?state=failed', { authorization: 'Bearer a.b.c' });
  const broken = [
    [page.status === 200 && page.text.includes('<div id='), `the page: ${page.status}`],
    [page.headers.has('content-security-policy'), 'the page has no Content-Security-Policy'],
    [(await visit(script)).status === 200, `${script} is missing`],
    [config.text.includes('"issuer"'), `config.json: ${config.status}`],
    [unsigned.status === 401 && forged.status === 401, `the API: ${unsigned.status} and ${forged.status}`],
  ] as const;
  return {
    found: 'page, script and config.json served; queries without a valid token answered with 401',
    broken: broken.flatMap(([isGood, what]) => (isGood ? [] : [what])),
  };
};

/** Examines the pipeline, and sets one alarm off. */
const examine: PlayStep = async (run) => {
  const { contractFile } = run.options;
  const { out } = await run.site.sms(
    ...['doctor', '--json', '--test-alarm'],
    ...(contractFile ? ['--contract', contractFile] : []),
  );
  const { checks } = doctorReport.parse(JSON.parse(out));
  const failed = checks.filter(({ state }) => state === 'failed');
  const { alarms } = run.inbox;
  await run.until('the alarm has reached a subscriber of its topic', () => alarms.length > 0);
  return {
    found: `${checks.length} checks, ${failed.length} failed; ${alarms.join(', ')} went off, and its notification arrived`,
    broken: failed.map(({ check, found }) => `${check}: ${found}`),
  };
};

/**
 * Returns the milliseconds from the post of each report to the arrival of its event in the queue of the subscription. The captured report
 * is left out: its event waits for a replay.
 */
function publishedMs({ service, inbox }: AcceptanceRun): number[] {
  return [...inbox.published.facts.values()].flatMap(({ type, id, firstAt, contents }) => {
    // The content of such an event begins with the status of the report.
    const [status = ''] = [...contents][0]?.split(' ') ?? [];
    const postedAt = service.postedAt.get(reportKey({ messageId: id, status }));
    const isTimed = type === detailTypes.deliveryEvent && id !== earlyMessage && postedAt !== undefined;
    return isTimed ? [firstAt - postedAt] : [];
  });
}
