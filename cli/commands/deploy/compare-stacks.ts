import * as z from 'zod';
import { mainSource } from '../../../contract/events/source-id.ts';
import { type DeployedStack, isRetained, type PlannedStack, type Template } from './stacks.ts';
import { statefulTypes } from './stateful-types.ts';

/** A resource that a deployment removes. */
export type Removal =
  | { readonly kind: 'queue'; readonly stack: string; readonly logicalId: string; readonly queueUrl: string }
  | { readonly kind: 'resource'; readonly stack: string; readonly what: string; readonly physicalId: string };

/** A table whose backups reach back for fewer days after the deployment. */
export interface LostBackups {
  readonly stack: string;
  readonly table: string;
  /** 0 for no backups. */
  readonly days: { readonly before: number; readonly after: number };
}

/** What would be deleted because it is kept for fewer days than now. */
export interface ShorterRetention {
  readonly stack: string;
  readonly what: string;
  readonly names: readonly string[];
  readonly days: { readonly before: number; readonly after: number };
}

/** Resources with data that are not protected from a deletion any more. */
export interface LostProtection {
  readonly stack: string;
  readonly names: readonly string[];
}

/** A check of requests that a webhook makes no longer. */
export interface LostCheck {
  readonly stack: string;
  /** The name of the function. */
  readonly name: string;
  readonly check: 'sources' | 'signature';
}

/** Alarms that notify a topic now and none after the deployment. */
export interface SilencedAlarms {
  readonly topics: readonly string[];
  readonly count: number;
}

/** How a deployment changes the sources of a pipeline. */
export interface SourceChanges {
  readonly stack: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Returns the queues and other resources of a deployed stack that the new template lacks and CloudFormation does not retain. */
export function removalsOf(planned: PlannedStack, deployed: DeployedStack): Removal[] {
  return deployed.resources.flatMap(({ logicalId, type, physicalId }): Removal[] => {
    if (planned.template.Resources[logicalId]?.Type === type) return [];
    if (isRetained(deployed.template?.Resources[logicalId])) return [];
    if (type === 'AWS::SQS::Queue')
      return [{ kind: 'queue', stack: planned.name, logicalId, queueUrl: physicalId }];
    const what = statefulTypes[type]?.lost;
    return what === undefined ? [] : [{ kind: 'resource', stack: planned.name, what, physicalId }];
  });
}

/** Finds the tables that remain and lose all or the oldest of their backups. */
export function lostBackups(planned: PlannedStack, deployed: DeployedStack): LostBackups[] {
  return keptResources(planned, deployed).flatMap(({ type, physicalId, before, after }) => {
    if (type !== 'AWS::DynamoDB::Table') return [];
    const days = { before: recoveryDaysOf(before.Properties), after: recoveryDaysOf(after.Properties) };
    return days.after < days.before ? [{ stack: planned.name, table: physicalId, days }] : [];
  });
}

/** DynamoDB's own recovery period, if a template has none. */
const recoveryDaysByDefault = 35;

const recovery = z.looseObject({
  PointInTimeRecoveryEnabled: z.union([z.boolean(), z.stringbool()]).default(false),
  RecoveryPeriodInDays: z.coerce.number().default(recoveryDaysByDefault),
});

function recoveryDaysOf({
  PointInTimeRecoverySpecification,
}: Template['Resources'][string]['Properties']): number {
  const { data } = recovery.safeParse(PointInTimeRecoverySpecification);
  return data?.PointInTimeRecoveryEnabled === true ? data.RecoveryPeriodInDays : 0;
}

/** What a resource keeps, and for how many days. */
const keptFor: Readonly<
  Record<string, { readonly what: string; readonly days: (properties: Properties) => number }>
> = {
  'AWS::Events::Archive': {
    what: 'events',
    days: ({ RetentionDays }) => daysOf(RetentionDays),
  },
  'AWS::Logs::LogGroup': { what: 'lines', days: ({ RetentionInDays }) => daysOf(RetentionInDays) },
  'AWS::S3::Bucket': {
    what: 'files',
    days: ({ LifecycleConfiguration }) =>
      Math.min(
        ...(lifecycle.safeParse(LifecycleConfiguration).data?.Rules ?? []).map(({ ExpirationInDays }) =>
          daysOf(ExpirationInDays),
        ),
      ),
  },
};

type Properties = Template['Resources'][string]['Properties'];

const lifecycle = z.looseObject({
  Rules: z.array(z.looseObject({ ExpirationInDays: z.unknown().optional() })),
});

/** Reads a number of days. What is left out, or known at the deployment only, counts as for ever, as 0 does. */
const daysOf = (value: unknown) =>
  z.coerce.number().positive().safeParse(value).data ?? Number.POSITIVE_INFINITY;

/** Finds what remains and keeps its data for fewer days; resources of one kind with the same change are one entry. */
export function shorterRetentions(planned: PlannedStack, deployed: DeployedStack): ShorterRetention[] {
  const found = new Map<string, ShorterRetention>();
  for (const { type, physicalId, before, after } of keptResources(planned, deployed)) {
    const kept = keptFor[type];
    if (kept === undefined) continue;
    const days = { before: kept.days(before.Properties), after: kept.days(after.Properties) };
    if (days.after >= days.before) continue;
    const key = `${type} ${days.before} ${days.after}`;
    const names = [...(found.get(key)?.names ?? []), physicalId];
    found.set(key, { stack: planned.name, what: kept.what, names, days });
  }
  return [...found.values()];
}

/** Finds what remains, and is not retained or protected from a deletion any more. */
export function lostProtections(planned: PlannedStack, deployed: DeployedStack): LostProtection[] {
  const names = keptResources(planned, deployed)
    .filter(({ type, before, after }) => type in statefulTypes && isProtected(before) && !isProtected(after))
    .map(({ physicalId }) => physicalId);
  return names.length === 0 ? [] : [{ stack: planned.name, names }];
}

const isProtected = (resource: Template['Resources'][string]) =>
  isRetained(resource) ||
  String(resource.Properties.DeletionProtectionEnabled) === 'true' ||
  resource.Properties.DeletionProtection === 'ACTIVE';

/** Finds the webhooks that would accept requests from everywhere, or without a signature, and do not now. */
export function lostChecks(planned: PlannedStack, deployed: DeployedStack): LostCheck[] {
  return keptResources(planned, deployed).flatMap(({ type, physicalId, before, after }): LostCheck[] => {
    if (type !== 'AWS::Lambda::Function') return [];
    const lost = { stack: planned.name, name: physicalId };
    const [old, next] = [schemesOf(before), schemesOf(after)];
    return [
      ...(hasAllowedSources(before) && !hasAllowedSources(after)
        ? [{ ...lost, check: 'sources' as const }]
        : []),
      // An earlier version deployed no schemes.
      ...(old.length > 0 && !old.includes('none') && next.includes('none')
        ? [{ ...lost, check: 'signature' as const }]
        : []),
    ];
  });
}

const environmentSchema = z.looseObject({ Variables: z.record(z.string(), z.unknown()) });

/** A list that is known only at the deployment counts as one with entries, and a range of all addresses as none. */
function hasAllowedSources({ Properties }: Template['Resources'][string]): boolean {
  const { data } = environmentSchema.safeParse(Properties.Environment);
  const allowed = data?.Variables.ALLOWED_SOURCE_IPS ?? '';
  return allowed !== '' && !(typeof allowed === 'string' && /\/0\b/.test(allowed));
}

function schemesOf({ Metadata }: Template['Resources'][string]): readonly string[] {
  const schemes = Metadata?.SignatureSchemes;
  return typeof schemes === 'string' ? schemes.split(',') : [];
}

/** The resources that are in both templates. */
function keptResources(planned: PlannedStack, deployed: DeployedStack) {
  return deployed.resources.flatMap(({ logicalId, type, physicalId }) => {
    const [before, after] = [deployed.template?.Resources[logicalId], planned.template.Resources[logicalId]];
    return before === undefined || after?.Type !== type ? [] : [{ type, physicalId, before, after }];
  });
}

/** Finds the pipelines whose lists have fewer shards than now, so that they would not find all of their entries. */
export function fewerShards(
  planned: PlannedStack,
  deployed: DeployedStack,
): { readonly before: number; readonly after: number }[] {
  return Object.entries(deployed.template?.Outputs ?? {}).flatMap(([id, { Value }]) => {
    if (!/(^|[a-z0-9])ListShards([0-9A-F]{8})?$/.test(id)) return [];
    const [before, after] = [Number(Value), Number(planned.template.Outputs[id]?.Value)];
    return after < before ? [{ before, after }] : [];
  });
}

/** Returns whether opt-outs count by source now and for all sources after the deployment. */
export function joinsOptOuts(planned: PlannedStack, deployed: DeployedStack): boolean {
  const isBySource = (id: string) => /(^|[a-z0-9])OptOutsBySource([0-9A-F]{8})?$/.test(id);
  const before = Object.keys(deployed.template?.Outputs ?? {}).filter(isBySource);
  return before.some((id) => planned.template.Outputs[id] === undefined);
}

/** Finds the pipelines of a stack whose sources change. */
export function sourceChanges(planned: PlannedStack, deployed: DeployedStack): SourceChanges[] {
  if (deployed.template === undefined) return [];
  const [before, after] = [sourcesByOutput(deployed.template), sourcesByOutput(planned.template)];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((output) => {
    const [old, next] = [before.get(output) ?? [mainSource], after.get(output) ?? [mainSource]];
    const added = next.filter((name) => !old.includes(name));
    const removed = old.filter((name) => !next.includes(name));
    return added.length + removed.length === 0 ? [] : [{ stack: planned.name, added, removed }];
  });
}

/** Returns the sources of each pipeline in a template that has several, by the output that names them. */
function sourcesByOutput({ Outputs }: Template): Map<string, readonly string[]> {
  return new Map(
    Object.entries(Outputs).flatMap(([id, { Value }]) =>
      /(^|[a-z0-9])Sources([0-9A-F]{8})?$/.test(id) &&
      typeof Value === 'string' &&
      Value.split(',')[0] === mainSource
        ? [[id, Value.split(',')] as const]
        : [],
    ),
  );
}

/** Finds the alarms that remain and lose their topic. Alarms that the deployment removes do not count. */
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

/** Returns the topics that the alarms of these stacks notify, without those that are resolved only at deployment. */
export function alarmTopicsOf(stacks: readonly PlannedStack[]): string[] {
  const actions = stacks.flatMap(({ template }) => [...actionsByAlarm(template).values()].flat());
  return [...new Set(actions)].filter((action) => /^arn:[^:]+:sns:/.test(action));
}

function actionsByAlarm(template: Template): Map<string, string[]> {
  const alarms = Object.entries(template.Resources).filter(
    ([, { Type }]) => Type === 'AWS::CloudWatch::Alarm' || Type === 'AWS::CloudWatch::CompositeAlarm',
  );
  return new Map(
    alarms.map(([logicalId, { Properties }]) => [
      logicalId,
      [Properties.AlarmActions ?? []].flat().map(textOf),
    ]),
  );
}

/** Returns an ARN, or the intrinsic function that yields it as JSON. */
function textOf(action: unknown): string {
  return typeof action === 'string' ? action : JSON.stringify(action);
}
