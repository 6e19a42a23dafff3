import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { AwsError, type Operations } from '../../aws-protocol/aws-json.ts';
import type { RetryClock } from '../lambda/functions.ts';
import { Archives } from './archives.ts';
import { deliver } from './delivery.ts';
import { type BusRule, type EventBus, EventBuses } from './event-bus.ts';
import { type Envelope, KEPT_EVENTS, Newest } from './events.ts';
import { BusFaults } from './faults.ts';
import { type EntryResult, entryError, envelopeOf, readEntries } from './put-events.ts';

const oneBus = z.looseObject({ Name: z.string().optional() });
const oneRule = z.looseObject({ Name: z.string(), EventBusName: z.string().optional() });
const targetsOfRule = z.looseObject({ Rule: z.string(), EventBusName: z.string().optional() });
const listInput = z.looseObject({
  NamePrefix: z.string().default(''),
  EventBusName: z.string().optional(),
});

export interface EventBridgeOptions {
  readonly clock: RetryClock;
  /** Numbers from 0 up to 1, for faults. */
  readonly random: () => number;
  /** Shows a line for each event that is lost. */
  note(line: string): void;
}

/**
 * EventBridge on one machine, in memory: custom buses, rules with patterns that send to functions, queues and topics, archives and replays, with
 * AWS's answers and errors. Unlike AWS it does not store undelivered events: an event that waits for a retry is lost when the run ends.
 */
export class EventBridge {
  readonly buses = new EventBuses();
  readonly archives: Archives;
  readonly faults: BusFaults;
  /** The events of PutEvents with their arrival times, in ms since the epoch. Only the newest are kept. */
  readonly published = new Newest<{ readonly at: number; readonly event: Envelope }>(KEPT_EVENTS);
  readonly #options: EventBridgeOptions;

  /** The operations by the name that follows `AWSEvents.` in `X-Amz-Target`. */
  readonly operations: ReadonlyMap<string, (input: unknown) => object>;

  constructor(options: EventBridgeOptions) {
    this.#options = options;
    this.faults = new BusFaults(options.random);
    this.archives = new Archives({
      buses: this.buses,
      now: () => options.clock.now(),
      dispatch: (bus, event, ruleArns) => this.#dispatch(bus, event, ruleArns),
    });
    this.operations = new Map([
      ['PutEvents', (input: unknown) => this.#putEvents(input)],
      ['DescribeEventBus', (input: unknown) => this.#describeBus(oneBus.parse(input))],
      ['ListRules', (input: unknown) => this.#listRules(listInput.parse(input))],
      ['DescribeRule', (input: unknown) => this.#describeRule(oneRule.parse(input))],
      ['ListTargetsByRule', (input: unknown) => this.#listTargets(targetsOfRule.parse(input))],
      ...this.archives.operations,
    ]);
  }

  /** @throws AwsError if the bus does not exist, or has a rule of this name */
  addRule(rule: BusRule): void {
    const { rules } = this.buses.find(rule.busName);
    if (rules.has(rule.name)) {
      throw new AwsError('ResourceAlreadyExistsException', `Rule ${rule.name} already exists.`);
    }
    rules.set(rule.name, rule);
  }

  #putEvents(input: unknown): object {
    const entries = readEntries(input);
    if (this.faults.throttles(entries.length)) throw new AwsError('ThrottlingException', 'Rate exceeded');
    const Entries = entries.map((entry): EntryResult => {
      if (this.faults.refusesEntry())
        return entryError('InternalFailure', 'Refused by a fault that was set on the bus.');
      const nowMs = this.#options.clock.now();
      const event = envelopeOf(entry, randomUUID(), nowMs);
      if ('ErrorCode' in event) return event;
      return this.#publish(entry.EventBusName, event, entry.Time === undefined ? nowMs : entry.Time * 1000);
    });
    return { Entries, FailedEntryCount: Entries.filter((result) => 'ErrorCode' in result).length };
  }

  #publish(busName: string | undefined, event: Envelope, timeMs: number): EntryResult {
    try {
      const bus = this.buses.find(busName);
      this.published.add({ at: this.#options.clock.now(), event });
      this.archives.add(bus.arn, event, timeMs);
      this.#dispatch(bus, event, undefined);
      return { EventId: event.id };
    } catch (error) {
      if (error instanceof AwsError) return entryError(error.type, error.message);
      throw error;
    }
  }

  #dispatch(bus: EventBus, event: Envelope, ruleArns: ReadonlySet<string> | undefined): void {
    const { clock, note } = this.#options;
    for (const rule of bus.rules.values()) {
      if (ruleArns && !ruleArns.has(rule.arn)) continue;
      if (!rule.isEnabled || !rule.matches(event)) continue;
      for (const target of rule.targets) void deliver(event, rule.arn, target, clock, note);
    }
  }

  #describeBus({ Name }: z.output<typeof oneBus>): object {
    const { name, arn, description } = this.buses.find(Name);
    return { Name: name, Arn: arn, Description: description };
  }

  #listRules({ NamePrefix, EventBusName }: z.output<typeof listInput>): object {
    const rules = [...this.buses.find(EventBusName).rules.values()];
    return { Rules: rules.filter(({ name }) => name.startsWith(NamePrefix)).map(ruleAnswer) };
  }

  #describeRule({ Name, EventBusName }: z.output<typeof oneRule>): object {
    return ruleAnswer(this.#findRule(Name, EventBusName));
  }

  #listTargets({ Rule, EventBusName }: z.output<typeof targetsOfRule>): object {
    return { Targets: this.#findRule(Rule, EventBusName).targetDescriptions };
  }

  #findRule(name: string, busName: string | undefined): BusRule {
    const bus = this.buses.find(busName);
    const rule = bus.rules.get(name);
    if (rule) return rule;
    throw new AwsError('ResourceNotFoundException', `Rule ${name} does not exist on EventBus ${bus.name}.`);
  }
}

/** The operations by the whole value of `X-Amz-Target`. */
export function eventBridgeOperations({ operations }: EventBridge): Operations {
  return new Map([...operations].map(([name, operation]) => [`AWSEvents.${name}`, operation]));
}

function ruleAnswer(rule: BusRule): object {
  return {
    Name: rule.name,
    Arn: rule.arn,
    EventBusName: rule.busName,
    Description: rule.description,
    EventPattern: rule.eventPattern,
    ScheduleExpression: rule.scheduleExpression,
    State: rule.isEnabled ? 'ENABLED' : 'DISABLED',
  };
}
