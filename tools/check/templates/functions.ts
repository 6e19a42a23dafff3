import { type Found, referredTo, resourcesOf } from './resources.ts';
import { numberAt, type Stack, valuesAt } from './stack.ts';

/** "Lambda quotas", environment variables in aggregate. Lambda does not say how it counts: as JSON they are largest. */
const environmentBytes = 4096;
/** "Quotas for configuring and running an HTTP API", maximum integration timeout, in seconds. */
const integrationSeconds = 30;
/** "Configuring reserved concurrency": of the 1,000 of an account 100 are not to be reserved. */
const maxReserved = 900;

/** Functions that Lambda would refuse, or whose limits do not fit what invokes them. */
export function functionProblems(stacks: readonly Stack[]): string[] {
  const functions = resourcesOf(stacks, 'AWS::Lambda::Function');
  const mappings = resourcesOf(stacks, 'AWS::Lambda::EventSourceMapping');
  const reserved = functions.reduce((sum, { properties }) => sum + (reservedOf(properties) ?? 0), 0);
  return [
    ...functions.flatMap(environmentProblems),
    ...functions.flatMap((target) => concurrencyProblems(target, mappings, functions)),
    ...(reserved > maxReserved ? [`${reserved} concurrent executions reserved, at most ${maxReserved}`] : []),
    ...resourcesOf(stacks, 'AWS::ApiGatewayV2::Integration').flatMap(({ label, resource, stack }) => {
      const seconds = numberAt(
        referredTo(resource.Properties.IntegrationUri, functions, stack)?.properties,
        'Timeout',
      );
      return seconds !== undefined && seconds <= integrationSeconds
        ? []
        : [`${label}: its function may take ${seconds} s, API Gateway waits for ${integrationSeconds} s`];
    }),
  ];
}

const reservedOf = (properties: unknown) => numberAt(properties, 'ReservedConcurrentExecutions');

function environmentProblems({ label, properties }: Found): string[] {
  const [variables = {}] = valuesAt(properties, 'Environment.Variables');
  const bytes = Buffer.byteLength(JSON.stringify(variables));
  return [
    ...(bytes > environmentBytes
      ? [`${label}: ${bytes} bytes of environment, at most ${environmentBytes}`]
      : []),
    ...valuesAt(variables, '*')
      .filter((value) => typeof value !== 'string')
      .map(() => `${label}: a variable that is no text`),
  ];
}

/** Lambda Developer Guide, "Configuring maximum concurrency for Amazon SQS event sources": not above what is reserved. */
function concurrencyProblems(
  { id, label, properties, stack }: Found,
  mappings: readonly Found[],
  functions: readonly Found[],
): string[] {
  const reserved = reservedOf(properties);
  if (reserved === undefined) return [];
  const wanted = mappings
    .filter(
      (mapping) =>
        mapping.stack === stack &&
        referredTo(mapping.resource.Properties.FunctionName, functions, stack)?.id === id,
    )
    .reduce(
      (sum, mapping) => sum + (numberAt(mapping.properties, 'ScalingConfig.MaximumConcurrency') ?? 0),
      0,
    );
  return reserved < 1 || reserved < wanted
    ? [`${label}: ${reserved} reserved, its sources start up to ${wanted}`]
    : [];
}
