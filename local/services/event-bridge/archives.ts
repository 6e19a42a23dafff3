import * as z from 'zod';
import { AwsError } from '../../aws-protocol/aws-json.ts';
import { arnOf } from '../../aws-protocol/call.ts';
import type { EventBus, EventBuses } from './event-bus.ts';
import { type Envelope, KEPT_EVENTS, Newest } from './events.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface ArchiveOptions {
  readonly name: string;
  readonly arn: string;
  readonly busArn: string;
  readonly description: string | undefined;
  /** 0 keeps events for ever. */
  readonly retentionDays: number;
  /** Returns whether an event is kept, with the template's pattern. */
  readonly matches: (event: Envelope) => boolean;
  readonly eventPattern: string | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

interface Archived {
  readonly event: Envelope;
  /** The time of the event's entry, or the time of its arrival. */
  readonly timeMs: number;
  readonly bytes: number;
}

/** Keeps the newest events of a bus for replays. Replayed events are not kept again. */
export class Archive {
  readonly options: ArchiveOptions;
  readonly #events = new Newest<Archived>(KEPT_EVENTS);
  #bytes = 0;

  constructor(options: ArchiveOptions) {
    this.options = options;
  }

  get count(): number {
    return this.#events.items.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(event: Envelope, timeMs: number): void {
    if (event['replay-name'] !== undefined || !this.options.matches(event)) return;
    const bytes = Buffer.byteLength(JSON.stringify(event));
    const dropped = this.#events.add({ event, timeMs, bytes });
    this.#bytes += bytes - bytesOf(dropped);
  }

  /** The kept events between two times, both included, oldest first. The times are in ms since the epoch. */
  between(startMs: number, endMs: number): readonly Envelope[] {
    return this.#events.items
      .filter(({ timeMs }) => timeMs >= startMs && timeMs <= endMs)
      .sort((one, other) => one.timeMs - other.timeMs)
      .map(({ event }) => event);
  }

  /** Drops the events that are older than the retention. */
  expire(nowMs: number): void {
    if (this.options.retentionDays === 0) return;
    const oldest = nowMs - this.options.retentionDays * DAY_MS;
    this.#events.keep(({ timeMs }) => timeMs >= oldest);
    this.#bytes = bytesOf(this.#events.items);
  }
}

function bytesOf(events: readonly Archived[]): number {
  return events.reduce((sum, { bytes }) => sum + bytes, 0);
}

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

const oneArchive = z.looseObject({ ArchiveName: z.string() });
const oneReplay = z.looseObject({ ReplayName: z.string() });
const listInput = z.looseObject({
  NamePrefix: z.string().default(''),
  EventSourceArn: z.string().optional(),
});

export interface ArchivesOptions {
  readonly buses: EventBuses;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Sends an event to the matching rules of a bus, or to those of them that `ruleArns` names. */
  dispatch(bus: EventBus, event: Envelope, ruleArns: ReadonlySet<string> | undefined): void;
}

/** The archives of the buses, and the replays from them. */
export class Archives {
  readonly #archives = new Map<string, Archive>();
  readonly #replays = new Map<string, Replay>();
  readonly #options: ArchivesOptions;

  readonly operations: ReadonlyMap<string, (input: unknown) => object> = new Map([
    ['DescribeArchive', (input: unknown) => this.#describe(oneArchive.parse(input))],
    ['ListArchives', (input: unknown) => this.#list(listInput.parse(input))],
    ['StartReplay', (input: unknown) => this.#start(startReplayInput.parse(input))],
    ['DescribeReplay', (input: unknown) => this.#describeReplay(oneReplay.parse(input))],
  ]);

  constructor(options: ArchivesOptions) {
    this.#options = options;
  }

  /** @throws AwsError if the archive exists, or the bus does not */
  create(options: Omit<ArchiveOptions, 'arn' | 'createdAt'>): Archive {
    const { name, busArn } = options;
    this.#options.buses.find(busArn);
    if (this.#archives.has(name)) {
      throw new AwsError('ResourceAlreadyExistsException', `Archive ${name} already exists.`);
    }
    const arn = arnOf('events', `archive/${name}`);
    const archive = new Archive({ ...options, arn, createdAt: this.#options.now() });
    this.#archives.set(name, archive);
    return archive;
  }

  /** Keeps an event of a bus. */
  add(busArn: string, event: Envelope, timeMs: number): void {
    for (const archive of this.#archives.values()) {
      if (archive.options.busArn === busArn) archive.add(event, timeMs);
    }
  }

  #describe({ ArchiveName }: z.output<typeof oneArchive>): object {
    const archive = this.#archives.get(ArchiveName);
    if (!archive) throw notFound('Archive', ArchiveName);
    const { arn, description, eventPattern } = archive.options;
    return {
      ...this.#summary(archive),
      ArchiveArn: arn,
      Description: description,
      EventPattern: eventPattern,
    };
  }

  #list({ NamePrefix, EventSourceArn }: z.output<typeof listInput>): object {
    const chosen = [...this.#archives.values()].filter(
      ({ options: { name, busArn } }) =>
        name.startsWith(NamePrefix) && (EventSourceArn === undefined || busArn === EventSourceArn),
    );
    return { Archives: chosen.map((archive) => this.#summary(archive)) };
  }

  #summary(archive: Archive): object {
    archive.expire(this.#options.now());
    const { name, busArn, retentionDays, createdAt } = archive.options;
    return {
      ArchiveName: name,
      EventSourceArn: busArn,
      State: 'ENABLED',
      RetentionDays: retentionDays,
      SizeBytes: archive.bytes,
      EventCount: archive.count,
      CreationTime: createdAt / 1000,
    };
  }

  #start(input: z.output<typeof startReplayInput>): object {
    const { ReplayName, EventSourceArn, Destination, EventStartTime, EventEndTime } = input;
    const archive = [...this.#archives.values()].find(({ options }) => options.arn === EventSourceArn);
    if (!archive) throw notFound('Archive', EventSourceArn);
    if (this.#replays.has(ReplayName)) {
      throw new AwsError('ResourceAlreadyExistsException', `Replay ${ReplayName} already exists.`);
    }
    if (EventEndTime <= EventStartTime) {
      throw new AwsError('ValidationException', 'EventEndTime must be greater than EventStartTime.');
    }
    if (Destination.Arn !== archive.options.busArn) {
      throw new AwsError('ValidationException', 'The destination must be the event bus of the archive.');
    }
    const bus = this.#options.buses.find(Destination.Arn);
    const ruleArns = Destination.FilterArns && new Set(Destination.FilterArns);
    const existing = new Set([...bus.rules.values()].map(({ arn }) => arn));
    for (const arn of ruleArns ?? []) if (!existing.has(arn)) throw notFound('Rule', arn);
    const replay: Replay = {
      ReplayName,
      ReplayArn: arnOf('events', `replay/${ReplayName}`),
      Description: input.Description,
      EventSourceArn,
      Destination,
      EventStartTime,
      EventEndTime,
      ReplayStartTime: this.#options.now() / 1000,
      State: 'STARTING',
    };
    this.#replays.set(ReplayName, replay);
    // The replay runs after the answer, as on AWS, so that callers have to wait for it here too.
    setImmediate(() => this.#run(replay, archive, bus, ruleArns));
    const { ReplayArn, State, ReplayStartTime } = replay;
    return { ReplayArn, State, ReplayStartTime };
  }

  #run(replay: Replay, archive: Archive, bus: EventBus, ruleArns: ReadonlySet<string> | undefined): void {
    replay.State = 'RUNNING';
    archive.expire(this.#options.now());
    for (const event of archive.between(replay.EventStartTime * 1000, replay.EventEndTime * 1000)) {
      this.#options.dispatch(bus, { ...event, 'replay-name': replay.ReplayName }, ruleArns);
      replay.EventLastReplayedTime = Date.parse(event.time) / 1000;
    }
    replay.ReplayEndTime = this.#options.now() / 1000;
    replay.State = 'COMPLETED';
  }

  #describeReplay({ ReplayName }: z.output<typeof oneReplay>): object {
    const replay = this.#replays.get(ReplayName);
    if (!replay) throw notFound('Replay', ReplayName);
    return replay;
  }
}

function notFound(what: string, name: string): AwsError {
  return new AwsError('ResourceNotFoundException', `${what} ${name} does not exist.`);
}
