import {
  DescribeArchiveCommand,
  DescribeReplayCommand,
  type EventBridgeClient,
  ListRulesCommand,
  ListTargetsByRuleCommand,
  StartReplayCommand,
} from '@aws-sdk/client-eventbridge';
import { CommandFailure } from './errors.ts';

/** A rule of the bus. */
export interface BusRule {
  readonly name: string;
  readonly arn: string;
  readonly enabled: boolean;
}

/** What the bus keeps for replays. */
export interface EventArchive {
  readonly arn: string;
  readonly busArn: string;
  /** ISO 8601; undefined where AWS does not say. */
  readonly createdAt: string | undefined;
  /** How many days events are kept; undefined: for good. */
  readonly retentionDays: number | undefined;
}

export interface ReplayRequest {
  readonly name: string;
  readonly archive: EventArchive;
  readonly ruleArn: string;
  /** ISO 8601. */
  readonly from: string;
  /** ISO 8601. */
  readonly to: string;
}

/** How far a replay is. */
export interface ReplayProgress {
  /** As EventBridge says it: STARTING, RUNNING, COMPLETED, FAILED, CANCELLING, CANCELLED. */
  readonly state: string;
  readonly reason: string | undefined;
  /** The time of the last event that was replayed, ISO 8601. */
  readonly reachedAt: string | undefined;
}

/** The replays of a pipeline's bus. */
export interface ReplayAccess {
  /** Those that somebody made; EventBridge's own are left out. */
  rules(): Promise<readonly BusRule[]>;
  /** The ARNs of what a rule invokes. */
  targets(rule: string): Promise<readonly string[]>;
  archive(): Promise<EventArchive>;
  start(request: ReplayRequest): Promise<void>;
  progress(name: string): Promise<ReplayProgress>;
}

/**
 * @param busName of the pipeline's event bus
 * @param archiveName of its archive
 */
export function createReplayAccess(
  client: EventBridgeClient,
  busName: string,
  archiveName: string,
): ReplayAccess {
  return {
    async rules() {
      const rules: BusRule[] = [];
      let NextToken: string | undefined;
      do {
        const page = await client.send(new ListRulesCommand({ EventBusName: busName, NextToken }));
        for (const { Name, Arn, State, ManagedBy } of page.Rules ?? [])
          if (Name !== undefined && Arn !== undefined && ManagedBy === undefined)
            rules.push({ name: Name, arn: Arn, enabled: State !== 'DISABLED' });
        NextToken = page.NextToken;
      } while (NextToken !== undefined);
      return rules;
    },

    async targets(rule) {
      const arns: string[] = [];
      let NextToken: string | undefined;
      do {
        const command = new ListTargetsByRuleCommand({ EventBusName: busName, Rule: rule, NextToken });
        const page = await client.send(command);
        arns.push(...(page.Targets ?? []).flatMap(({ Arn }) => Arn ?? []));
        NextToken = page.NextToken;
      } while (NextToken !== undefined);
      return arns;
    },

    async archive() {
      const found = await client.send(new DescribeArchiveCommand({ ArchiveName: archiveName }));
      const { ArchiveArn: arn, EventSourceArn: busArn, RetentionDays, CreationTime } = found;
      if (arn === undefined || busArn === undefined)
        throw new CommandFailure(`EventBridge does not say what the archive ${archiveName} keeps.`);
      return {
        arn,
        busArn,
        createdAt: CreationTime?.toISOString(),
        // 0 is how EventBridge says that nothing expires.
        retentionDays: RetentionDays === 0 ? undefined : RetentionDays,
      };
    },

    async start({ name, archive, ruleArn, from, to }) {
      await client.send(
        new StartReplayCommand({
          ReplayName: name,
          EventSourceArn: archive.arn,
          EventStartTime: new Date(from),
          EventEndTime: new Date(to),
          Destination: { Arn: archive.busArn, FilterArns: [ruleArn] },
        }),
      );
    },

    async progress(name) {
      const found = await client.send(new DescribeReplayCommand({ ReplayName: name }));
      return {
        state: found.State ?? 'unknown',
        reason: found.StateReason,
        reachedAt: found.EventLastReplayedTime?.toISOString(),
      };
    },
  };
}
