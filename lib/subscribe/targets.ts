import { Resource, Stack } from 'aws-cdk-lib';
import {
  ApiDestination,
  Authorization,
  Connection,
  EventBus,
  type HttpMethod,
  type IEventBusRef,
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
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { SubscriptionTarget } from './subscription.ts';

/**
 * Invokes a function with each event. EventBridge's part ends once Lambda has accepted the event, so events that the function fails on
 * go to the dead-letter queue too, after Lambda's two retries. Several subscriptions of one function share the queue of the first.
 *
 * A function that already has an asynchronous configuration, belongs to another stack or was imported does not get this: give it a
 * failure destination in its own stack.
 */
export function lambda(fn: IFunction): SubscriptionTarget {
  return {
    id: fn.node.id,
    bind: (scope, delivery) => {
      if (mayConfigure(fn, scope))
        fn.configureAsyncInvoke({ onFailure: new SqsDestination(delivery.deadLetterQueue) });
      return new LambdaFunction(fn, delivery);
    },
  };
}

/**
 * A function has one asynchronous configuration for all its subscriptions. It belongs to the function's stack, which cannot depend on
 * the queue of a stack that depends on the function.
 */
function mayConfigure(fn: IFunction, scope: Construct): boolean {
  const isOwn = Resource.isOwnedResource(fn) && Stack.of(fn) === Stack.of(scope);
  return isOwn && fn.node.tryFindChild('EventInvokeConfig') === undefined;
}

/** Puts each event into a standard queue. */
export function sqs(queue: IQueue): SubscriptionTarget {
  return { id: queue.node.id, bind: (_scope, delivery) => new SqsQueue(queue, delivery) };
}

/** Publishes each event to a topic. */
export function sns(topic: ITopic): SubscriptionTarget {
  return { id: topic.node.id, bind: (_scope, delivery) => new SnsTopic(topic, delivery) };
}

/** Starts an execution with each event as its input; the state machine handles its failures. */
export function stepFunctions(stateMachine: IStateMachine): SubscriptionTarget {
  return {
    id: stateMachine.node.id,
    bind: (_scope, delivery) => new SfnStateMachine(stateMachine, delivery),
  };
}

/**
 * Puts each event on another bus, by a role that may do nothing else. A pipeline in another account needs it: the rule on the
 * pipeline's bus sends events to a bus of the subscriber's account, which has the ordinary subscriptions (docs/reference/events.md, Other
 * accounts). EventBridge retries such a target for 24 hours, like the others.
 */
export function eventBus(bus: IEventBusRef): SubscriptionTarget {
  return {
    id: bus.node.id,
    isEventBus: true,
    bind: (scope, { deadLetterQueue }) => {
      // The class declares an attribute as possibly undefined, which its interface rejects under exactOptionalPropertyTypes.
      const reached = EventBus.fromEventBusArn(scope, 'Bus', bus.eventBusRef.eventBusArn);
      return new ToEventBus(reached, { deadLetterQueue });
    },
  };
}

export interface ApiDestinationProps {
  /** HTTPS. */
  readonly url: string;
  /** `POST` by default. */
  readonly method?: HttpMethod;
  readonly apiKey: {
    /** The name of the header that carries the key. */
    readonly header: string;
    /** Holds the key. CloudFormation reads it at deployment: deploy again after a change of the key. */
    readonly secret: ISecret;
    /** The key's field, if the secret is a JSON object. */
    readonly field?: string;
  };
  /** Maximum calls a second, from 1 to 300; further events wait for a day at most. */
  readonly rateLimitPerSecond: number;
  /** The target's name in logical ids; `ApiDestination` by default. */
  readonly id?: string;
}

/** Sends each event to a URL. Every subscription has its own connection and rate limit. */
export function apiDestination({
  url,
  method,
  apiKey: { header, secret, field },
  rateLimitPerSecond,
  id = 'ApiDestination',
}: ApiDestinationProps): SubscriptionTarget {
  return {
    id,
    bind: (scope, delivery) => {
      const key = field === undefined ? secret.secretValue : secret.secretValueFromJson(field);
      const connection = new Connection(scope, 'Connection', {
        authorization: Authorization.apiKey(header, key),
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
      return new ToApiDestination(invoked, delivery);
    },
  };
}
