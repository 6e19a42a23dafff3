import { Duration, Stack } from 'aws-cdk-lib';
import { type Archive, EventBus } from 'aws-cdk-lib/aws-events';
import { AccountPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { eventSource } from '../../functions/core/bus/detail-types.ts';

export interface PipelineBusProps {
  /** How long the archive keeps an event; 0 for no archive. */
  readonly archiveDays: number;
  /** Ids of the accounts that may have rules of their own on the bus. */
  readonly accounts: readonly string[];
}

/** What needs a rule that is there already. */
const onExistingRules = ['DeleteRule', 'DescribeRule', 'DisableRule', 'EnableRule', 'ListTargetsByRule'];
const onTargets = ['PutTargets', 'RemoveTargets'];

/**
 * Whoever made a rule manages it; a rule that is being made has no creator yet (EventBridge User Guide, "Example policy:
 * Send events to the same account and restrict updates"). A variable of IAM, not of TypeScript.
 */
const ownRule = { 'events:creatorAccount': ['$', '{aws:PrincipalAccount}'].join('') };

/** The bus of this pipeline's events, with its archive, and what other accounts may do with it. */
export class PipelineBus extends EventBus {
  readonly eventArchive: Archive | undefined;

  constructor(scope: Construct, id: string, { archiveDays, accounts }: PipelineBusProps) {
    super(scope, id, { description: 'Delivery and reply events of the SMS pipeline.' });
    this.eventArchive =
      archiveDays === 0
        ? undefined
        : this.archive('Archive', {
            description: 'Events of the SMS pipeline, for replays.',
            eventPattern: { source: [eventSource] },
            retention: Duration.days(archiveDays),
          });
    for (const account of accounts) this.allowRulesOf(account);
  }

  /** Rules and targets of its own, for this pipeline's events; never to put an event on the bus. */
  private allowRulesOf(account: string): void {
    const common = {
      principals: [new AccountPrincipal(account)],
      resources: [
        Stack.of(this).formatArn({
          service: 'events',
          resource: 'rule',
          resourceName: `${this.eventBusName}/*`,
        }),
      ],
    };
    this.addToResourcePolicy(
      new PolicyStatement({
        ...common,
        sid: `MakeRules${account}`,
        actions: ['events:PutRule'],
        conditions: {
          StringEquals: { 'events:source': eventSource },
          StringEqualsIfExists: ownRule,
        },
      }),
    );
    this.addToResourcePolicy(
      new PolicyStatement({
        ...common,
        sid: `ManageRules${account}`,
        actions: [...onExistingRules, ...onTargets].map((action) => `events:${action}`),
        conditions: { StringEqualsIfExists: ownRule },
      }),
    );
  }
}
