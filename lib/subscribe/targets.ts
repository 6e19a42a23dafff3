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
 * Invokes a function with each event. EventBridge is done once Lambda has taken the event, so what the function fails on goes to
 * the dead letter queue too, after Lambda's two retries: of the first subscription, where several lead to one function. Not so where
 * the function has an asynchronous configuration of its own already, is of another stack or was imported: give it a failure
 * destination where it is made.
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
 * A function has one asynchronous configuration, however many subscriptions lead to it. It is made in the function's stack, which
 * cannot depend on the queue of a stack that depends on the function.
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

/** Starts an execution with each event as its input; what becomes of it is up to the state machine. */
export function stepFunctions(stateMachine: IStateMachine): SubscriptionTarget {
  return {
    id: stateMachine.node.id,
    bind: (_scope, delivery) => new SfnStateMachine(stateMachine, delivery),
  };
}

/**
 * Puts each event on another bus, by a role that may do nothing else. It is how a pipeline in another account is subscribed to: the
 * rule on the pipeline's bus leads to a bus of one's own, on which ordinary subscriptions follow (docs/events.md, Other accounts).
 * EventBridge tries such a target for 24 hours, as the others.
 */
export function eventBus(bus: IEventBusRef): SubscriptionTarget {
  return {
    id: bus.node.id,
    isEventBus: true,
    bind: (scope, { deadLetterQueue }) => {
      // The class declares an attribute as maybe undefined, which its interface does not take under exactOptionalPropertyTypes.
      const reached = EventBus.fromEventBusArn(scope, 'Bus', bus.eventBusRef.eventBusArn);
      return new ToEventBus(reached, { deadLetterQueue });
    },
  };
}

export interface ApiDestinationProps {
  /** HTTPS. */
  readonly url: string;
  /** `POST` if not given. */
  readonly method?: HttpMethod;
  readonly apiKey: {
    /** The name of the header that carries the key. */
    readonly header: string;
    /** Holds the key. It is read when the stack is deployed: deploy again after the key was changed. */
    readonly secret: ISecret;
    /** The key's field, where the secret is a JSON object. */
    readonly field?: string;
  };
  /** Most calls a second, from 1 to 300; what is above waits for its turn, for a day at most. */
  readonly rateLimitPerSecond: number;
  /** Names it in logical ids; `ApiDestination` if not given. */
  readonly id?: string;
}

/** Sends each event to a URL. Every subscription has a connection and a rate limit of its own. */
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
      // The class declares an attribute as maybe undefined, which its interface does not take under exactOptionalPropertyTypes.
      const { apiDestinationArn } = destination;
      const invoked = ApiDestination.fromApiDestinationAttributes(scope, 'Invoked', {
        apiDestinationArn,
        connection,
      });
      return new ToApiDestination(invoked, delivery);
    },
  };
}
