import { PublishCommand, type SNSClient } from '@aws-sdk/client-sns';

/** A notice for the people who subscribed to a topic. */
export interface Notice {
  /** The subject of an e-mail. It is cut after 99 characters, and "?" replaces what is not printable ASCII. */
  readonly subject: string;
  readonly text: string;
}

/** Sends notices to the subscribers of one topic. */
export interface Notices {
  /** Resolves once SNS has accepted the notice; throws in every other case. */
  send(notice: Notice): Promise<void>;
}

/** The limit of SNS is less than 100 characters of ASCII (Publish, Subject). */
const maxSubjectLength = 99;

export function createNotices(client: SNSClient, topicArn: string): Notices {
  return {
    send: async ({ subject, text }) => {
      const line = subject.replace(/[^\x20-\x7e]/gu, '?').trim();
      await client.send(
        new PublishCommand({ TopicArn: topicArn, Subject: line.slice(0, maxSubjectLength), Message: text }),
      );
    },
  };
}
