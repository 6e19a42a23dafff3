import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';

/**
 * What is known about the webhook besides its secret (functions/core/webhook/webhook-state.ts): one item, and one for each
 * minute in which signatures did not fit. It goes with its stack, as the webhook's address does.
 */
export class WebhookStateTable extends Table {
  constructor(scope: Construct, id: string) {
    super(scope, id, {
      billingMode: BillingMode.PAY_PER_REQUEST,
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      timeToLiveAttribute: 'expiresAt',
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-DDB3',
      reason:
        'Holds no event and nothing that cannot be had again: registering writes what is wanted, and the next run of reconcile the rest. An older state would mislead.',
    });
  }
}
