import type { SNSClient } from '@aws-sdk/client-sns';
import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { loopbackUrl } from '../../aws-protocol/http.ts';
import { type CreateResource, physicalName } from '../../cloudformation/deploy-stack.ts';
import { inert, readProperties, wholeNumber } from '../../cloudformation/template.ts';
import type { RunningService, ServiceRun } from '../definition/define-service.ts';
import type { LambdaParts, RetryClock } from '../lambda/functions.ts';
import { EventBridge, eventBridgeOperations } from './api.ts';
import { eventBridgeRoutes } from './control-endpoint.ts';
import { eventMatcher, ruleCreator } from './rules.ts';
import type { Schedule } from './schedule.ts';

export function startEventBridge(
  run: ServiceRun,
  uses: LambdaParts & { clock: RetryClock; sqs: SQSClient; sns: SNSClient },
) {
  const note = (line: string) => run.note(line);
  const eventBridge = new EventBridge({ clock: uses.clock, random: Math.random, note });
  const schedules: Schedule[] = [];
  return {
    operations: eventBridgeOperations(eventBridge),
    routes: eventBridgeRoutes(eventBridge),
    resources: {
      'AWS::Events::Archive': eventArchiveCreator(eventBridge),
      'AWS::Events::EventBus': eventBusCreator(eventBridge),
      'AWS::Events::Rule': ruleCreator({
        ...uses,
        sqsUrl: loopbackUrl(run.ports.sqs),
        eventBridge,
        note,
        schedules,
      }),
    },
    inertTypes: ['AWS::Events::EventBusPolicy'],
    stop() {
      for (const schedule of schedules) schedule.stop();
    },
  } satisfies RunningService;
}

const eventBusSchema = z.strictObject({
  Name: z.string(),
  Description: z.string().optional(),
  DeadLetterConfig: inert,
  KmsKeyIdentifier: inert,
  LogConfig: inert,
  Policy: inert,
  Tags: inert,
});

export function eventBusCreator(eventBridge: EventBridge): CreateResource {
  return async (request) => {
    const { Name, Description } = readProperties(eventBusSchema, request);
    const { arn } = eventBridge.buses.create(Name, Description);
    return { ref: Name, attributes: { Arn: arn, Name } };
  };
}

const archiveSchema = z.strictObject({
  ArchiveName: z.string().max(48).optional(),
  Description: z.string().optional(),
  SourceArn: z.string(),
  EventPattern: z.record(z.string(), z.unknown()).optional(),
  RetentionDays: wholeNumber.min(0).default(0),
  KmsKeyIdentifier: inert,
});

export function eventArchiveCreator(eventBridge: EventBridge): CreateResource {
  return async (request) => {
    const properties = readProperties(archiveSchema, request);
    const { EventPattern } = properties;
    const name = properties.ArchiveName ?? physicalName(request, 48);
    const { options } = eventBridge.archives.create({
      name,
      busArn: properties.SourceArn,
      description: properties.Description,
      retentionDays: properties.RetentionDays,
      matches: EventPattern ? eventMatcher(EventPattern) : () => true,
      eventPattern: EventPattern && JSON.stringify(EventPattern),
    });
    return { ref: name, attributes: { Arn: options.arn } };
  };
}
