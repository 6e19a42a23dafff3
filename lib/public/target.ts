import { SecretValue, Stack, Token } from 'aws-cdk-lib';
import {
  ApiDestination,
  Authorization,
  Connection,
  EventBus,
  type HttpMethod,
  type IEventBusRef,
  type IRuleRef,
  type IRuleTarget,
  type RuleTargetConfig,
  type RuleTargetInput,
} from 'aws-cdk-lib/aws-events';
import {
  LambdaFunction,
  SfnStateMachine,
  SnsTopic,
  SqsQueue,
  ApiDestination as ToApiDestination,
  EventBus as ToEventBus,
} from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct, IConstruct } from 'constructs';
import { omitUndefined } from '../../functions/base/basics.ts';
import { warnOfPrivateAddress } from '../building-blocks/private-addresses.ts';
import { arnOf, construct, formOfBusArn, formOfTopicArn, foundFor } from '../options/option-kinds.ts';
import { problemWithSecret, secretIdOf } from '../options/secret-ids.ts';
import { problemsWithDestination, warnOfPathParameter } from '../subscribe/api-destination.ts';
import { SubscriptionError } from '../subscribe/subscription-error.ts';

/** An HTTPS endpoint, and the key that it expects in a header. */
export interface ApiDestinationProps {
  /** HTTPS. */
  readonly url: string;
  /**
   * The method of the calls.
   *
   * @default HttpMethod.POST
   */
  readonly method?: HttpMethod;
  /** The name of the header that carries the key. */
  readonly keyHeader: string;
  /**
   * Holds the key, which CloudFormation copies when it creates the target. A later deployment does not notice a new value, so store a new key in
   * a secret of another name.
   */
  readonly keySecret: ISecret;
  /**
   * The key's field, if the secret is a JSON object.
   *
   * @default - the secret is the key
   */
  readonly keyField?: string;
  /** Maximum calls a second, from 1 to 300; further events wait for a day at most. */
  readonly rateLimitPerSecond: number;
  /**
   * The body of the calls, made of the event: `RuleTargetInput.fromObject({ text: ... })`.
   *
   * @default - the whole event
   */
  readonly event?: RuleTargetInput;
  /**
   * The target's name in logical ids.
   *
   * @default 'ApiDestination'
   */
  readonly id?: string;
}

/**
 * Where the events of a subscription go. A subscription accepts every other target of EventBridge too, for example
 * `new targets.KinesisStream(stream)` of aws-cdk-lib.
 */
export class Target implements IRuleTarget {
  /** Names the target in logical ids. */
  readonly id: string;
  /** Whether the target is an event bus, the only kind that a rule on the bus of another account reaches. */
  readonly isEventBus: boolean;
  private readonly make: (scope: Construct) => IRuleTarget;

  private constructor(id: string, make: (scope: Construct) => IRuleTarget, isEventBus = false) {
    this.id = id;
    this.isEventBus = isEventBus;
    this.make = make;
  }

  /**
   * Invokes a function with each event. EventBridge's part ends once Lambda has accepted the event. Lambda then tries three times, and drops the
   * event if the function has no failure destination; the dead-letter queue of the subscription can be that:
   *
   * ```ts
   * const failures = sms.events.onDeliveryFailed(Target.lambda(fn));
   * fn.configureAsyncInvoke({ onFailure: new SqsDestination(failures.deadLetterQueue) });
   * ```
   */
  static lambda(fn: IFunction): Target {
    return new Target(
      idOf('lambda', fn, 'functionArn', 'a function', arnOf('lambda')),
      () => new LambdaFunction(fn),
    );
  }

  /** Puts each event into a standard queue. */
  static sqs(queue: IQueue): Target {
    const id = idOf('sqs', queue, 'queueArn', 'a queue', arnOf('sqs'));
    if (queue.fifo)
      throw new SubscriptionError(
        `Target.sqs: ${queue.node.path} is a FIFO queue, which needs a group: new targets.SqsQueue(queue, { messageGroupId }) of aws-cdk-lib/aws-events-targets has one.`,
      );
    return new Target(id, () => new SqsQueue(queue));
  }

  /** Publishes each event to a standard topic. */
  static sns(topic: ITopic): Target {
    const id = idOf('sns', topic, 'topicArn', 'a topic', formOfTopicArn);
    // "Amazon EventBridge targets", EventBridge user guide.
    if (topic.fifo)
      throw new SubscriptionError(
        `Target.sns: ${topic.node.path} is a FIFO topic, which EventBridge cannot publish to. Use a standard topic.`,
      );
    return new Target(id, () => new SnsTopic(topic));
  }

  /** Starts an execution with each event as its input; the state machine handles its failures. */
  static stepFunctions(stateMachine: IStateMachine): Target {
    // Not of an activity.
    const form = /^arn:[^:]+:states:[^:]+:[^:]+:stateMachine:/;
    const id = idOf('stepFunctions', stateMachine, 'stateMachineArn', 'a state machine', form);
    return new Target(id, () => new SfnStateMachine(stateMachine));
  }

  /**
   * Puts each event on another bus, by a role that may do nothing else. A pipeline in another account needs it: the rule on the
   * pipeline's bus sends events to a bus of the subscriber's account, which has the ordinary subscriptions (docs/reference/events.md, Other
   * accounts).
   */
  static eventBus(bus: IEventBusRef): Target {
    const id = idOf('eventBus', bus, 'eventBusRef', 'an event bus');
    const { eventBusArn } = bus.eventBusRef;
    if (!Token.isUnresolved(eventBusArn) && !formOfBusArn.test(eventBusArn))
      throw new SubscriptionError(
        `Target.eventBus: found ${eventBusArn}, expected the ARN of an event bus, arn:aws:events:<region>:<account>:event-bus/<name>`,
      );
    // The class declares an attribute as possibly undefined, which its interface rejects under exactOptionalPropertyTypes.
    const reached = (scope: Construct) => EventBus.fromEventBusArn(scope, 'Bus', bus.eventBusRef.eventBusArn);
    return new Target(id, (scope) => new ToEventBus(reached(scope)), true);
  }

  /** Sends each event to a URL. Every subscription has its own connection and rate limit. */
  static apiDestination(props: ApiDestinationProps): Target {
    const { url, method, keySecret, keyField, rateLimitPerSecond, event } = props;
    idOf('apiDestination: keySecret', keySecret, 'secretArn', 'a secret');
    const problems = problemsWithDestination(props);
    if (problems.length > 0)
      throw new SubscriptionError(['Target.apiDestination is wrong:', ...problems].join('\n  '));
    return new Target(props.id ?? 'ApiDestination', (scope) => {
      const problem = problemWithSecret(keySecret, Stack.of(scope));
      if (problem !== undefined)
        throw new SubscriptionError(
          `${scope.node.path}: keySecret: found ${problem.found}, ${problem.expected}`,
        );
      warnOfPrivateAddress(scope, 'url', url);
      warnOfPathParameter(scope, url);
      const key = SecretValue.secretsManager(secretIdOf(keySecret), omitUndefined({ jsonField: keyField }));
      const connection = new Connection(scope, 'Connection', {
        authorization: Authorization.apiKey(props.keyHeader, key),
      });
      const destination = new ApiDestination(scope, 'Destination', {
        connection,
        endpoint: url,
        rateLimitPerSecond,
        ...(method === undefined ? {} : { httpMethod: method }),
      });
      // The class declares an attribute as possibly undefined, which its interface rejects under exactOptionalPropertyTypes.
      const { apiDestinationArn } = destination;
      const invoked = ApiDestination.fromApiDestinationAttributes(scope, 'Invoked', {
        apiDestinationArn,
        connection,
      });
      return new ToApiDestination(invoked, event === undefined ? {} : { event });
    });
  }

  /** Called by the rule. Constructs of the target's own are beside the rule. */
  bind(rule: IRuleRef, id?: string): RuleTargetConfig {
    const { scope } = rule.node;
    if (scope === undefined) throw new TypeError('A rule is below another construct.');
    return this.make(scope).bind(rule, id);
  }
}

/** Returns the id of a construct. An app of JavaScript may give anything. */
function idOf(made: string, given: IConstruct, member: string, expected: string, form?: RegExp): string {
  const shape = construct(expected, member, form);
  if (!shape.fits(given))
    throw new SubscriptionError(`Target.${made}: found ${foundFor(shape, given)}, expected ${expected}`);
  return given.node.id;
}
