import { type Duration, Names, Stack } from 'aws-cdk-lib';
import {
  Archive,
  type ArchiveProps,
  CfnEventBusPolicy,
  EventBus,
  type IEventBus,
} from 'aws-cdk-lib/aws-events';
import {
  AccountPrincipal,
  Grant,
  type IGrantable,
  PolicyStatement,
  type PolicyStatementProps,
} from 'aws-cdk-lib/aws-iam';
import type { Construct, IConstruct } from 'constructs';
import { eventSource } from '../../functions/publish/shapes.ts';
import { eventsOf } from '../building-blocks/pipeline-events.ts';
import type { EventsOptions } from '../options/options.ts';

/** Actions on an existing rule. Creating a rule with tags needs the permission to tag as well ("PutRule", API Reference). */
const onExistingRules = [
  'DeleteRule',
  'DescribeRule',
  'DisableRule',
  'EnableRule',
  'ListTargetsByRule',
  'PutTargets',
  'RemoveTargets',
  'ListTagsForResource',
  'TagResource',
  'UntagResource',
];

/**
 * An account manages the rules that it created; a rule that is being created has no creator yet (EventBridge User Guide, "Example
 * policy: Send events to the same account and restrict updates"). The value is a variable of IAM, not of TypeScript.
 */
const ownRule = { 'events:creatorAccount': ['$', '{aws:PrincipalAccount}'].join('') };

/** A pattern may name several sources, or none (EventBridge User Guide, "Defining a list of allowed sources in an event pattern"). */
const onlyOurEvents = {
  'ForAllValues:StringEquals': { 'events:source': [eventSource] },
  Null: { 'events:source': 'false' },
};

export interface PipelineBusProps {
  readonly name: string;
  readonly events: Pick<EventsOptions, 'archive' | 'accounts'>;
}

/** An archive of this pipeline's events on a bus. */
export function archiveProps(sourceEventBus: IEventBus, pipeline: string, retention: Duration): ArchiveProps {
  return {
    sourceEventBus,
    description: 'Events of the SMS pipeline, for replays.',
    eventPattern: eventsOf(pipeline),
    retention,
  };
}

/** The bus of this pipeline's events, with its archive and the policy for other accounts. */
export class PipelineBus extends EventBus {
  readonly eventArchive: Archive | undefined;

  constructor(scope: Construct, id: string, { name, events }: PipelineBusProps) {
    // CDK's name has no stack name in it: two deployments of a stack under two names would have the same.
    super(scope, id, { eventBusName: name, description: 'Delivery and reply events of the SMS pipeline.' });
    const { archive, accounts } = events;
    this.eventArchive =
      archive.toDays() === 0
        ? undefined
        : new Archive(this, 'Archive', archiveProps(this as IEventBus, name, archive));
    if (accounts.length > 0) this.allowRules(accounts);
  }

  /**
   * Allows other accounts their own rules and targets for this pipeline's events, but not to put an event on the bus. cdk-nag reads a
   * deprecated property of these policies, so the CDK warns at synth.
   */
  private allowRules(accounts: readonly string[]): void {
    const create = this.allow(accounts, 'MakeRules', {
      actions: ['events:PutRule'],
      conditions: { ...onlyOurEvents, StringEqualsIfExists: ownRule },
    });
    const manage = this.allow(accounts, 'ManageRules', {
      actions: onExistingRules.map((action) => `events:${action}`),
      conditions: { StringEqualsIfExists: ownRule },
    });
    // A bus rejects a change of its policy while another one is under way.
    manage.addResourceDependency(create);
  }

  private allow(
    accounts: readonly string[],
    name: string,
    statement: Required<Pick<PolicyStatementProps, 'actions' | 'conditions'>>,
  ): CfnEventBusPolicy {
    const { eventBusName } = this;
    // CloudFormation requires an id that is unique in the account, beyond the bus.
    const sid = `${Names.uniqueResourceName(this, { maxLength: 40 })}-${name}`;
    const allowed = new PolicyStatement({
      ...statement,
      sid,
      principals: accounts.map((account) => new AccountPrincipal(account)),
      resources: [rulesArn(this)],
    });
    return new CfnEventBusPolicy(this, name, { eventBusName, statementId: sid, statement: allowed.toJSON() });
  }
}

/**
 * Requires that no rule of the stack, whose name CloudFormation makes, and no rule of an archive, which EventBridge makes, begins so.
 *
 * @param stack the outermost one, whose name those of nested stacks begin with
 */
export function requireRulePrefix(path: string, prefix: string, stack: Stack): void {
  const found = `${path}: grantSubscribe found the prefix ${JSON.stringify(prefix)} of rules`;
  if (!/^[\w.-]{1,60}$/.test(prefix))
    throw new TypeError(
      `${found}, and expected up to 60 letters, digits, ".", "_" and "-", such as "orders-".`,
    );
  if (
    [`${stack.stackName}-`, 'Events-Archive-'].some((own) => own.startsWith(prefix) || prefix.startsWith(own))
  )
    throw new TypeError(
      `${found}, with which it would allow rules of this stack, such as those of its automations. Give the rules of the team names that begin otherwise, such as "orders-".`,
    );
}

/**
 * Allows a principal of this account rules with names that begin so, for events of pipelines on a bus. IAM has no condition on fields of a detail, so
 * it is about every pipeline there.
 */
export function grantRules(bus: IEventBus, prefix: string, grantee: IGrantable): Grant {
  const resourceArns = [rulesArn(bus, prefix)];
  const grant = Grant.addToPrincipal({
    grantee,
    actions: ['events:PutRule'],
    resourceArns,
    conditions: onlyOurEvents,
  });
  return grant.combine(
    Grant.addToPrincipal({
      grantee,
      actions: onExistingRules.map((action) => `events:${action}`),
      resourceArns,
    }),
  );
}

function rulesArn(bus: IConstruct & Pick<IEventBus, 'eventBusName'>, prefix = ''): string {
  const resourceName = `${bus.eventBusName}/${prefix}*`;
  return Stack.of(bus).formatArn({ service: 'events', resource: 'rule', resourceName });
}
