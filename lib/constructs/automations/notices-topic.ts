import { Alias } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/** Where automations tell people something. Encrypted with the key of SNS in this account, reached by TLS only. */
export class NoticesTopic extends Topic {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      displayName: 'SMS pipeline',
      enforceSSL: true,
      masterKey: Alias.fromAliasName(scope, `${id}Key`, 'alias/aws/sns'),
    });
  }
}
