import { z } from 'zod';

/** Times are seconds since the epoch. */
export const startReplayInput = z.looseObject({
  ReplayName: z.string().regex(/^[\w.-]{1,64}$/),
  Description: z.string().optional(),
  EventSourceArn: z.string(),
  EventStartTime: z.number(),
  EventEndTime: z.number(),
  Destination: z.looseObject({ Arn: z.string(), FilterArns: z.array(z.string()).optional() }),
});

/** A replay as DescribeReplay answers it. */
export interface Replay {
  readonly ReplayName: string;
  readonly ReplayArn: string;
  readonly Description: string | undefined;
  readonly EventSourceArn: string;
  readonly Destination: { readonly Arn: string; readonly FilterArns?: readonly string[] | undefined };
  readonly EventStartTime: number;
  readonly EventEndTime: number;
  readonly ReplayStartTime: number;
  State: 'STARTING' | 'RUNNING' | 'COMPLETED';
  EventLastReplayedTime?: number;
  ReplayEndTime?: number;
}
