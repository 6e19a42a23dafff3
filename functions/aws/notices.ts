import { PublishCommand, type SNSClient } from '@aws-sdk/client-sns';

/** What a person is told. */
export interface Notice {
  /** Of an e-mail. Cut after 99 characters; what is not printable ASCII becomes "?". */
  readonly subject: string;
  readonly text: string;
}

/** Tells people: whoever subscribed to the topic. */
export interface Notices {
  /** Resolves once SNS has taken the notice; throws in every other case. */
  send(notice: Notice): Promise<void>;
}

/** SNS takes less than 100 characters of ASCII (Publish, Subject). */
const longestSubject = 99;

export function createNotices(client: SNSClient, topicArn: string): Notices {
  return {
    send: async ({ subject, text }) => {
      const line = subject.replace(/[^\x20-\x7e]/gu, '?').trim();
      await client.send(
        new PublishCommand({ TopicArn: topicArn, Subject: line.slice(0, longestSubject), Message: text }),
      );
    },
  };
}
