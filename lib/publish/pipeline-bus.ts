import { Duration, Names, Stack } from 'aws-cdk-lib';
import { type Archive, CfnEventBusPolicy, EventBus } from 'aws-cdk-lib/aws-events';
import { CfnRegistry, CfnSchema } from 'aws-cdk-lib/aws-eventschemas';
import { AccountPrincipal, PolicyStatement, type PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { z } from 'zod';
import { detailSchemas } from '../../functions/bus/details.ts';
import { eventSource } from '../../functions/bus/event-types.ts';

/** A schema registry of EventBridge with a schema for each detail type, of the whole event as a rule's target gets it. */
export class EventSchemas extends Construct {
  readonly registryName: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const registry = new CfnRegistry(this, 'Registry', { description: 'Events of the SMS pipeline.' });
    this.registryName = registry.attrRegistryName;
    for (const [detailType, detail] of Object.entries(detailSchemas)) {
      const name = detailType.replaceAll(/[^A-Za-z]/g, '');
      new CfnSchema(this, name, {
        registryName: this.registryName,
        // As EventBridge names those it discovers.
        schemaName: `${eventSource}@${name}`,
        type: 'JSONSchemaDraft4',
        description: `"${detailType}", version 1.`,
        content: JSON.stringify(eventSchema(detailType, detail)),
      });
    }
  }
}

/** The envelope is EventBridge's (EventBridge User Guide, "Event structure"). */
function eventSchema(detailType: string, detail: z.ZodType): object {
  const { $schema, ...schema } = z.toJSONSchema(detail, { target: 'draft-4', io: 'input' });
  const properties = {
    version: { type: 'string' },
    id: { type: 'string' },
    'detail-type': { type: 'string', enum: [detailType] },
    source: { type: 'string', enum: [eventSource] },
    account: { type: 'string' },
    time: { type: 'string', format: 'date-time' },
    region: { type: 'string' },
    resources: { type: 'array', items: { type: 'string' } },
    detail: schema,
  };
  return { $schema, title: detailType, type: 'object', properties, required: Object.keys(properties) };
}

export interface PipelineBusProps {
  /** How long the archive keeps an event; 0 for no archive. */
  readonly archiveDays: number;
  /** Ids of the accounts that may have rules of their own on the bus. */
  readonly accounts: readonly string[];
}

/** What needs a rule that is there already; a rule that is made with tags needs the permission to tag as well ("PutRule", API Reference). */
const onExistingRules = [
  ...['DeleteRule', 'DescribeRule', 'DisableRule', 'EnableRule'],
  ...['ListTargetsByRule', 'PutTargets', 'RemoveTargets'],
  ...['ListTagsForResource', 'TagResource', 'UntagResource'],
];

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
    if (accounts.length > 0) this.allowRulesOf(accounts);
  }

  /**
   * Rules and targets of their own, for this pipeline's events; never to put an event on the bus. cdk-nag reads a property of these policies that is
   * deprecated, of which the CDK warns at synth.
   */
  private allowRulesOf(accounts: readonly string[]): void {
    const make = this.allow(accounts, 'MakeRules', {
      actions: ['events:PutRule'],
      conditions: {
        // A pattern may name several sources, or none (EventBridge User Guide, "Defining a list of allowed sources in an event pattern").
        'ForAllValues:StringEquals': { 'events:source': [eventSource] },
        Null: { 'events:source': 'false' },
        StringEqualsIfExists: ownRule,
      },
    });
    const manage = this.allow(accounts, 'ManageRules', {
      actions: onExistingRules.map((action) => `events:${action}`),
      conditions: { StringEqualsIfExists: ownRule },
    });
    // A bus refuses a change of its policy while another one is under way.
    manage.addResourceDependency(make);
  }

  private allow(
    accounts: readonly string[],
    name: string,
    statement: Required<Pick<PolicyStatementProps, 'actions' | 'conditions'>>,
  ): CfnEventBusPolicy {
    const { eventBusName } = this;
    // CloudFormation wants it to be unique in the account, beyond the bus.
    const sid = `${Names.uniqueResourceName(this, { maxLength: 40 })}-${name}`;
    const allowed = new PolicyStatement({
      ...statement,
      sid,
      principals: accounts.map((account) => new AccountPrincipal(account)),
      resources: [
        Stack.of(this).formatArn({ service: 'events', resource: 'rule', resourceName: `${eventBusName}/*` }),
      ],
    });
    return new CfnEventBusPolicy(this, name, { eventBusName, statementId: sid, statement: allowed.toJSON() });
  }
}
