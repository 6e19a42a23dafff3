import { type Stack, Token } from 'aws-cdk-lib';
import { Architecture } from 'aws-cdk-lib/aws-lambda';
import { mainSource } from '../../contract/events/source-id.ts';
import { registrationBaseUrl } from '../../functions/registration/index.ts';
import type { BuiltFunctions } from '../bundling/function-code.ts';
import { standardKeywords } from '../keywords/keywords-file.ts';
import type { Automation } from '../props/automation.ts';
import type { ConsoleProps, DomainProps, SmsPipelineProps } from '../props/props.ts';
import type { SourceProps } from '../props/source-props.ts';
import { checkCombinations } from './check-combinations.ts';
import { malformedProps } from './malformed-props.ts';
import { pathOf, rowsOf } from './option-table.ts';
import type {
  AutomationOptions,
  ConsoleOptions,
  GroupName,
  Groups,
  PipelineNames,
  PipelineOptions,
} from './options.ts';
import { PipelinePropsError } from './pipeline-props-error.ts';
import { shown } from './shown.ts';
import { propsOfSource, sharedPropsIn } from './source-options.ts';

/**
 * Fills in the defaults, and checks every prop that is known at synth.
 *
 * @param path names the pipeline in messages
 * @param stack of the webhook
 * @throws PipelinePropsError naming every wrong prop
 */
export function resolveOptions(
  props: SmsPipelineProps,
  names: PipelineNames,
  { built, path, stack }: { readonly built: BuiltFunctions; readonly path: string; readonly stack: Stack },
): PipelineOptions {
  const malformed = malformedProps(props);
  if (malformed.length > 0) throw new PipelinePropsError(path, malformed);
  const problems: string[] = [];
  const report = (prop: string, found: unknown, expected: string) => {
    const text = Token.isUnresolved(found) || found === '' ? shown(found) : String(found);
    problems.push(`${prop}: found ${found === undefined ? 'nothing' : text}, ${expected}`);
  };

  /** Returns the options of a group, and reports each wrong prop in it. @param at the path of the props, if it is not that of their group */
  function optionsOf<Name extends GroupName>(
    group: Name,
    given: Partial<Groups[Name]['props']> = {},
    at: string = group,
  ): Groups[Name]['options'] {
    const values = new Map<string, unknown>(Object.entries(given));
    const options = rowsOf(group).flatMap(([prop, row]) => {
      if (row.kind !== 'option') return [];
      const reportProp = (found: unknown, expected: string) => report(pathOf(at, prop), found, expected);
      return [[prop, row.check(values.get(prop), reportProp)] as const];
    });
    // The type of the table makes each row return what the interface of the options says.
    return Object.fromEntries<unknown>(options) as Groups[Name]['options'];
  }

  function domain(given: DomainProps | undefined): DomainProps | undefined {
    if (given === undefined) return undefined;
    if (given.mutualTls !== undefined) optionsOf('webhook.domain.mutualTls', given.mutualTls);
    return { ...given, ...optionsOf('webhook.domain', given) };
  }

  function consoleOptions({ oidc, domain }: ConsoleProps): ConsoleOptions {
    if (domain !== undefined) optionsOf('console.domain', domain);
    return { domain, oidc: oidc && optionsOf('console.oidc', oidc) };
  }

  function automationOptions({ _config: config }: Automation): AutomationOptions {
    switch (config.kind) {
      case 'optOutContacts': {
        const { topic } = config.props;
        return { optOutContacts: { ...optionsOf('automations.optOutContacts', config.props), topic } };
      }
      case 'contactSync':
        return { contactSync: optionsOf('automations.contactSync', config.props) };
      case 'failureAlert': {
        const { topic } = config.props;
        return { failureAlert: { ...optionsOf('automations.failureAlert', config.props), topic } };
      }
      case 'forward':
        return { forward: optionsOf('automations.forward', config.props) };
      case 'billingWatch':
        return { billingWatch: true };
      case 'deliveryWatch':
        return { deliveryWatch: true };
    }
  }

  const { contract, apiKey, exports, insights, functions, automations = [] } = props;
  const { registration = contract.registersWebhook } = props;
  const general = optionsOf('pipeline', { ...props, registration });
  const worker = optionsOf('worker', props.worker);
  const { alarms } = props;
  const overrides = Object.entries(alarms?.overrides ?? {}).map(([alarm, { topic, ...given }]) => {
    const override = optionsOf('alarms.overrides', given, pathOf('alarms.overrides', alarm));
    return [alarm, { ...override, topic }] as const;
  });
  const options: PipelineOptions = {
    ...general,
    ...names,
    outputsBelow: general.outputs && names.outputsBelow,
    metricsNamespace: general.metricsNamespace ?? names.metricsNamespace,
    source: mainSource,
    functionSources: {
      built,
      contract: contract._document,
      keywords: props.keywords?._list ?? standardKeywords(),
    },
    serviceBaseUrl: general.serviceBaseUrl ?? registrationBaseUrl(contract._document),
    apiKey,
    eventBus: props.eventBus,
    tables: optionsOf('tables', props.tables),
    webhook: { ...optionsOf('webhook', props.webhook), domain: domain(props.webhook?.domain) },
    worker,
    events: optionsOf('events', props.events),
    exports: exports && optionsOf('exports', exports),
    insights: insights?.enabled === false ? undefined : optionsOf('insights', insights),
    console: props.console && consoleOptions(props.console),
    automations: Object.assign({}, ...automations.map(automationOptions)),
    alarms: alarms?.enabled !== false && {
      topic: alarms?.topic,
      page: alarms?.page ?? alarms?.topic,
      overrides: Object.fromEntries(overrides),
      ...optionsOf('alarms', alarms),
    },
    functions: {
      ...optionsOf('functions', functions),
      architecture: functions?.architecture ?? Architecture.ARM_64,
      vpc: functions?.vpc,
      subnets: functions?.subnets,
      securityGroups: functions?.securityGroups,
    },
    logs: { ...optionsOf('logs', props.logs), encryptionKey: props.logs?.encryptionKey },
  };
  checkCombinations(props, options, stack, report);
  if (problems.length > 0) throw new PipelinePropsError(path, problems);
  return options;
}

/**
 * Returns the options of a further source: those of its pipeline, with its own.
 *
 * @param path names the source in messages
 * @throws PipelinePropsError naming every wrong prop
 */
export function resolveSource(
  name: string,
  source: SourceProps,
  {
    props,
    options,
    path,
    stack,
  }: {
    readonly props: SmsPipelineProps;
    readonly options: PipelineOptions;
    readonly path: string;
    readonly stack: Stack;
  },
): PipelineOptions {
  const shared = sharedPropsIn(source);
  if (shared.length > 0) throw new PipelinePropsError(path, shared);
  const { built } = options.functionSources;
  const { name: pipeline, metricsNamespace, outputsBelow, stackName, exportDatabase } = options;
  const names = { name: pipeline, metricsNamespace, outputsBelow, stackName, exportDatabase };
  const own = resolveOptions(propsOfSource(props, source), names, { built, path, stack });
  // The security group of the pipeline is also the source's.
  return { ...own, source: name, functions: options.functions };
}
