import type { EventBus } from 'aws-cdk-lib/aws-events';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';

/** Allows putting events on the bus, by the grantee's own policy: the bus keeps its policy for other accounts. */
export function allowPutEvents(grantee: IGrantable, bus: EventBus): void {
  Grant.addToPrincipal({ grantee, actions: ['events:PutEvents'], resourceArns: [bus.eventBusArn] });
}
