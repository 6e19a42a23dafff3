import {
  DescribeArchiveCommand,
  DescribeReplayCommand,
  type EventBridgeClient,
  ListRulesCommand,
  ListTargetsByRuleCommand,
  StartReplayCommand,
} from '@aws-sdk/client-eventbridge';
import { CommandFailure } from '../errors.ts';

/** A rule of the bus. */
export interface BusRule {
  readonly name: string;
  readonly arn: string;
  readonly enabled: boolean;
}

/** The archive of the bus. */
export interface EventArchive {
  readonly arn: string;
  readonly busArn: string;
  /** ISO 8601; undefined if AWS does not return it. */
  readonly createdAt: string | undefined;
  /** How many days events are kept; undefined for no limit. */
  readonly retentionDays: number | undefined;
}

export interface ReplayRequest {
  readonly name: string;
  readonly archive: EventArchive;
  readonly ruleArn: string;
  /** ISO 8601. */
  readonly since: string;
  /** ISO 8601. */
  readonly until: string;
}

/** The progress of a replay. */
export interface ReplayProgress {
  /** EventBridge's word: STARTING, RUNNING, COMPLETED, FAILED, CANCELLING, CANCELLED. */
  readonly state: string;
  readonly reason: string | undefined;
  /** The time of the last replayed event, ISO 8601. */
  readonly reachedAt: string | undefined;
}

/** The replays of a pipeline's bus. */
export interface ReplayAccess {
  /** Returns the rules of the bus, without EventBridge's own. */
  rules(): Promise<readonly BusRule[]>;
  /** Returns the ARNs of a rule's targets. */
  targets(rule: string): Promise<readonly string[]>;
  archive(): Promise<EventArchive>;
  /** Starts a replay under a name that no other replay has. */
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
        throw new CommandFailure(`EventBridge does not describe the archive ${archiveName}.`);
      return {
        arn,
        busArn,
        createdAt: CreationTime?.toISOString(),
        // EventBridge returns 0 for no limit.
        retentionDays: RetentionDays === 0 ? undefined : RetentionDays,
      };
    },

    async start({ name, archive, ruleArn, since, until }) {
      const command = new StartReplayCommand({
        ReplayName: name,
        EventSourceArn: archive.arn,
        EventStartTime: new Date(since),
        EventEndTime: new Date(until),
        Destination: { Arn: archive.busArn, FilterArns: [ruleArn] },
      });
      await client.send(command).catch((error: unknown) => {
        // The SDK repeats a start whose answer was lost. The name is new, so the replay that exists is this one.
        if (!(error instanceof Error && error.name === 'ResourceAlreadyExistsException')) throw error;
      });
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
