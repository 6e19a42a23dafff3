import { AwsError } from '../../aws-protocol/aws-json.ts';
import { arnOf } from '../../aws-protocol/call.ts';
import type { RuleTarget } from './delivery.ts';
import type { Envelope } from './events.ts';

/** A rule on a bus. A rule with a schedule has no pattern and matches no event. */
export interface BusRule {
  readonly name: string;
  readonly arn: string;
  readonly busName: string;
  readonly description: string | undefined;
  readonly isEnabled: boolean;
  /** The pattern as JSON, for DescribeRule. */
  readonly eventPattern: string | undefined;
  readonly scheduleExpression: string | undefined;
  readonly matches: (event: Envelope) => boolean;
  readonly targets: readonly RuleTarget[];
  /** The targets as the template has them. */
  readonly targetDescriptions: readonly object[];
}

export interface EventBus {
  readonly name: string;
  readonly arn: string;
  readonly description: string | undefined;
  readonly rules: Map<string, BusRule>;
}

const DEFAULT_BUS = 'default';

/** The buses by name. The bus `default` always exists. */
export class EventBuses {
  readonly #buses = new Map<string, EventBus>();

  constructor() {
    this.create(DEFAULT_BUS, undefined);
  }

  /** @throws AwsError if the bus exists */
  create(name: string, description: string | undefined): EventBus {
    if (this.#buses.has(name)) {
      throw new AwsError('ResourceAlreadyExistsException', `Event bus ${name} already exists.`);
    }
    const bus = { name, arn: arnOf('events', `event-bus/${name}`), description, rules: new Map() };
    this.#buses.set(name, bus);
    return bus;
  }

  /**
   * @param nameOrArn the default bus if missing
   * @throws AwsError if the bus does not exist
   */
  find(nameOrArn: string = DEFAULT_BUS): EventBus {
    const bus = this.#buses.get(nameOrArn.replace(/^arn:.*:event-bus\//, ''));
    if (!bus) {
      throw new AwsError('ResourceNotFoundException', `Event bus ${nameOrArn} does not exist.`);
    }
    return bus;
  }
}

/** The ARN of a rule. It contains the name of a bus other than the default bus. */
export function ruleArn(busName: string, ruleName: string): string {
  return arnOf('events', busName === DEFAULT_BUS ? `rule/${ruleName}` : `rule/${busName}/${ruleName}`);
}
