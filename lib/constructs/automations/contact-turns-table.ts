import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';

/** When each number's contact was last brought up to date, by a hash of the number; forgotten after a period. */
export class ContactTurnsTable extends Table {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      billingMode: BillingMode.PAY_PER_REQUEST,
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      timeToLiveAttribute: 'expiresAt',
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-DDB3',
      reason:
        'Holds nothing that is missed: without it, a number that replies has its contact brought up to date once more.',
    });
  }
}
