import type { AlarmAccess } from '../../target/alarms.ts';
import type { Wait } from '../../target/context.ts';
import type { TopicState } from '../../target/inspection.ts';
import { formatCount } from '../../text/format.ts';
import { sanitize } from '../../text/sanitize.ts';
import { failed, ok, skipped, type Verdict, warn } from './finding.ts';

/** The topic of the automations' notices. Alarms go to the others. */
const noticesTopic = 'NoticesTopicArn';

/** The key of SNS, whose policy does not allow CloudWatch. */
const snsKey = 'alias/aws/sns';

/** Judges whether a person receives alarms and notices. @param local on one machine, which has no alarms */
export function judgeTopics(topics: readonly TopicState[], local: boolean): Verdict {
  const silenced = topics.find(
    ({ name, settings }) => name !== noticesTopic && settings?.key?.endsWith(snsKey),
  );
  if (silenced !== undefined)
    return failed(
      `${silenced.name}: the topic is encrypted with ${snsKey}, which CloudWatch may not use`,
      'Encrypt it with a key of your own, or not at all: docs/deploying.md, "The alarm topic".',
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
  if (!local && topics.every(({ name }) => name === noticesTopic))
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

/**
 * Sets one alarm of each topic off and waits for CloudWatch's record that the topic accepted the notification. This proves the permission of
 * CloudWatch on the topic and on its key, which publishing as an operator would not. Only a person can say whether the notification arrived.
 */
export async function testAlarms(
  topics: readonly TopicState[],
  alarms: AlarmAccess,
  { namePrefix, now, wait }: { readonly namePrefix: string; readonly now: number; readonly wait: Wait },
): Promise<Verdict> {
  const found = await alarms.list(namePrefix);
  const chosen = topics.flatMap(({ name, arn }) => {
    const alarm = found.find(({ topicArns }) => topicArns.includes(arn));
    return alarm === undefined ? [] : [{ topic: name, alarm: alarm.name }];
  });
  if (chosen.length === 0)
    return failed(
      'no alarm notifies a topic',
      'Set sms:alarmTopicArn (alarms.topic of the construct) and deploy.',
    );
  for (const { alarm } of chosen) await alarms.setOff(alarm, 'A test by "sms doctor --test-alarm".');
  const results = await Promise.all(
    chosen.map(async ({ topic, alarm }) => ({
      topic,
      alarm,
      action: await actionOf(alarms, alarm, now, wait),
    })),
  );
  const wrong = results.filter(({ action }) => action?.hasSucceeded !== true);
  if (wrong.length > 0)
    return failed(
      wrong
        .map(
          ({ topic, action }) =>
            `${topic}: ${action === undefined ? 'CloudWatch recorded no notification' : sanitize(action.summary)}`,
        )
        .join('; '),
      'Allow cloudwatch.amazonaws.com to publish in the policy of the topic, and of its key: docs/deploying.md, "The alarm topic".',
    );
  return ok(
    `${results.map(({ topic, alarm }) => `${topic} accepted ${sanitize(alarm)}`).join('; ')}: check that it arrived`,
  );
}

async function actionOf(alarms: AlarmAccess, alarm: string, since: number, wait: Wait) {
  for (let round = 0; round < rounds; round++) {
    const [action] = await alarms.actions(alarm, since);
    if (action !== undefined || !(await wait(pauseMs))) return action;
  }
  return undefined;
}
