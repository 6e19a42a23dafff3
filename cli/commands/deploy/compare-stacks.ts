import type { DeployedStack, PlannedStack, Template } from './stacks.ts';

/** What a deployment takes away. */
export type Removal =
  | { readonly kind: 'queue'; readonly stack: string; readonly logicalId: string; readonly queueUrl: string }
  | { readonly kind: 'resource'; readonly stack: string; readonly what: string; readonly physicalId: string };

/** Alarms that notify a topic now, and no topic after the deployment. */
export interface SilencedAlarms {
  readonly topics: readonly string[];
  readonly count: number;
}

/** Resources besides queues whose removal loses something, by type, with what is lost. */
const lossyTypes: Readonly<Record<string, string>> = {
  'AWS::ApiGatewayV2::DomainName': 'the domain name of the API, under which the SMS service may send',
  'AWS::DynamoDB::Table': 'a table, with what it holds',
  'AWS::Events::Archive': 'the archive of the event bus, with its events',
  'AWS::SecretsManager::Secret': 'a secret: a later one has another value',
  'AWS::SNS::Topic': 'a topic, with its subscriptions',
};

/** The queues and other resources of a deployed stack that the new template no longer holds and that would not be retained. */
export function removalsOf(planned: PlannedStack, deployed: DeployedStack): Removal[] {
  return deployed.resources.flatMap(({ logicalId, type, physicalId }): Removal[] => {
    if (planned.template.Resources[logicalId]?.Type === type) return [];
    if (deployed.template?.Resources[logicalId]?.DeletionPolicy === 'Retain') return [];
    if (type === 'AWS::SQS::Queue')
      return [{ kind: 'queue', stack: planned.name, logicalId, queueUrl: physicalId }];
    const what = lossyTypes[type];
    return what === undefined ? [] : [{ kind: 'resource', stack: planned.name, what, physicalId }];
  });
}

/** Finds the alarms that stay and lose their topic. It does not count alarms that the deployment removes. */
export function silencedAlarms(
  pairs: readonly { readonly planned: PlannedStack; readonly deployed: DeployedStack }[],
): SilencedAlarms {
  const silenced = pairs.flatMap(({ planned, deployed }) => {
    if (deployed.template === undefined) return [];
    const after = actionsByAlarm(planned.template);
    return [...actionsByAlarm(deployed.template)].filter(
      ([logicalId, actions]) => actions.length > 0 && after.get(logicalId)?.length === 0,
    );
  });
  return { topics: [...new Set(silenced.flatMap(([, topics]) => topics))], count: silenced.length };
}

/** The topics that the alarms of these stacks notify; those that are known at deployment only are left out. */
export function alarmTopicsOf(stacks: readonly PlannedStack[]): string[] {
  const actions = stacks.flatMap(({ template }) => [...actionsByAlarm(template).values()].flat());
  return [...new Set(actions)].filter((action) => /^arn:[^:]+:sns:/.test(action));
}

function actionsByAlarm(template: Template): Map<string, string[]> {
  const alarms = Object.entries(template.Resources).filter(
    ([, { Type }]) => Type === 'AWS::CloudWatch::Alarm',
  );
  return new Map(
    alarms.map(([logicalId, { Properties }]) => [
      logicalId,
      [Properties.AlarmActions ?? []].flat().map(textOf),
    ]),
  );
}

/** An ARN, or the intrinsic function that yields it. */
function textOf(action: unknown): string {
  return typeof action === 'string' ? action : JSON.stringify(action);
}
