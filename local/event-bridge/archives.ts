import { z } from 'zod';
import { arnOf } from '../account.ts';
import { AwsError } from '../services/aws-error.ts';
import { Archive, type ArchiveOptions } from './archive.ts';
import type { Envelope } from './envelope.ts';
import type { EventBus, EventBuses } from './event-bus.ts';
import { type Replay, startReplayInput } from './replay.ts';

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
  /** Sends an event to the rules of a bus that match, of these only where they are named. */
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

  /** @throws AwsError when there is an archive of this name, or no such bus */
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

  /** Keeps an event that came to a bus. */
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
    const known = new Set([...bus.rules.values()].map(({ arn }) => arn));
    for (const arn of ruleArns ?? []) if (!known.has(arn)) throw notFound('Rule', arn);
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
    // Only after the answer, as it is at AWS: a replay that is done at once would hide that one has to wait.
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
