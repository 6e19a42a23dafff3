import {
  DescribeArchiveCommand,
  DescribeReplayCommand,
  type EventBridgeClient,
  StartReplayCommand,
} from '@aws-sdk/client-eventbridge';
import { CommandFailure } from '../errors.ts';
import { type BusRules, createBusRules } from './bus-rules.ts';

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
export interface ReplayAccess extends BusRules {
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
    ...createBusRules(client, busName),

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
