import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { Topic } from 'aws-cdk-lib/aws-sns';

/** Allows publishing to the topic. Its key, which is of SNS, lets whoever may publish use it. */
export function allowPublish(grantee: IGrantable, topic: Topic): void {
  Grant.addToPrincipal({ grantee, actions: ['sns:Publish'], resourceArns: [topic.topicArn] });
}
