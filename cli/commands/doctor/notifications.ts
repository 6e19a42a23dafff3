import { formatCount } from '../../../functions/base/basics.ts';
import { failed, ok, skipped, type Verdict, warn } from '../../../functions/query/index.ts';
import type { Wait } from '../../target/context.ts';
import type { AlarmAccess } from '../../target/stack/alarms.ts';
import type { TopicState } from '../../target/stack/inspection.ts';
import { sanitize } from '../../text/sanitize.ts';

/** The outputs with the topics of alarms. Automations notify the others. */
const alarmTopics = { ticket: 'AlarmTopicArn', page: 'PageTopicArn' } as const;
const ofAlarms: readonly string[] = Object.values(alarmTopics);

/** The key of SNS, whose policy does not allow CloudWatch. */
const snsKey = 'alias/aws/sns';

/** Judges whether a person receives alarms and notices. @param local on one machine, which has no alarms */
export function judgeTopics(topics: readonly TopicState[], local: boolean): Verdict {
  const silenced = topics.find(
    ({ name, settings }) => ofAlarms.includes(name) && settings?.key?.endsWith(snsKey),
  );
  if (silenced !== undefined)
    return failed(
      `${silenced.name}: the topic is encrypted with ${snsKey}, which CloudWatch may not use`,
      'Encrypt it with a key of your own, or not at all: docs/start/deploy.md, "The alarm topic".',
    );
  const absent = topics.filter(({ settings }) => settings === undefined).map(({ name }) => name);
  if (absent.length > 0)
    return failed(
      `${absent.join(', ')}: the topic does not exist`,
      'Make it in the region of the pipeline, or name another one, and deploy.',
    );
  const unread = topics.filter(({ settings }) => settings?.confirmed === 0);
  const [first] = unread;
  if (first !== undefined)
    return failed(
      unread
        .map(({ name, settings }) => `${name}: no confirmed subscription, ${settings?.pending ?? 0} pending`)
        .join('; '),
      `aws sns subscribe --topic-arn ${first.arn} --protocol email --notification-endpoint <address>, and follow the link in the mail.`,
    );
  if (!local && topics.every(({ name }) => !ofAlarms.includes(name)))
    return warn(
      'no alarm notifies an operator',
      'Set sms:alarmTopicArn (alarms.topic of the construct) and deploy.',
    );
  if (topics.length === 0) return skipped('nothing on this machine notifies people');
  const found = topics.map(
    ({ name, settings }) => `${name}: ${formatCount(settings?.confirmed ?? 0, 'confirmed subscription')}`,
  );
  return ok(found.join('; '));
}

/** How often CloudWatch's record of the alarm is read. */
const rounds = 15;
const pauseMs = 2_000;

/** Records of CloudWatch that are this old are read too: this machine's clock may be ahead. */
const clockToleranceMs = 10 * 60_000;

const noAlarmTopic = failed(
  'no alarm notifies an operator',
  'Set sms:alarmTopicArn (alarms.topic of the construct) and deploy.',
);

export interface AlarmTest {
  readonly severity: keyof typeof alarmTopics;
  /** The names of some alarms of that severity; undefined if the stacks have none. */
  readonly names: readonly string[] | undefined;
  readonly now: number;
  readonly wait: Wait;
}

/**
 * Sets one alarm of the pipeline off and waits for CloudWatch's record that its topic accepted the notification. This proves the permission of
 * CloudWatch on the topic and on its key, which publishing as an operator would not. Only a person can say whether the notification arrived.
 */
export async function testAlarm(
  topics: readonly TopicState[],
  alarms: AlarmAccess,
  { severity, names, now, wait }: AlarmTest,
): Promise<Verdict> {
  const topic = topics.find(({ name }) => name === alarmTopics[severity]);
  if (topic === undefined)
    return severity === 'page' ? skipped(`pages go to ${alarmTopics.ticket}`) : noAlarmTopic;
  const found = names === undefined ? [] : await alarms.read(names);
  const own = found.filter(({ topicArns }) => topicArns.includes(topic.arn));
  if (own.length === 0)
    return failed(
      `${topic.name}: not tried, because no alarm that the outputs name notifies only topics, and this one`,
      'Deploy again with this version. Were the actions of the alarms switched off or changed by hand?',
    );
  const alarm = own.find(({ isOn }) => !isOn)?.name;
  if (alarm === undefined)
    return warn(
      `${topic.name}: not tried, because ${own.map(({ name }) => sanitize(name)).join(', ')} are on`,
      'Each notified the topic when it began: did that arrive? Run this again when one of them has ended.',
    );
  const since = now - clockToleranceMs;
  const actions = async () =>
    (await alarms.actions(alarm, since)).filter(({ summary }) => summary.includes(topic.arn));
  const before = (await actions()).length;
  await alarms.setOff(alarm, 'A test by "sms doctor --test-alarm".');
  const action = await newAction(actions, before, wait);
  if (action?.hasSucceeded !== true)
    return failed(
      `${topic.name}: ${action === undefined ? 'CloudWatch recorded no notification' : sanitize(action.summary)}`,
      'Allow cloudwatch.amazonaws.com to publish in the policy of the topic, and of its key: docs/start/deploy.md, "The alarm topic".',
    );
  return ok(`${topic.name} accepted ${sanitize(alarm)}: check that it arrived`);
}

async function newAction(actions: () => ReturnType<AlarmAccess['actions']>, before: number, wait: Wait) {
  for (let round = 0; round < rounds; round++) {
    const found = await actions();
    if (found.length > before) return found[0];
    if (!(await wait(pauseMs))) return undefined;
  }
  return undefined;
}
