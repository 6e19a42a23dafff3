import * as z from 'zod';
import { readCloudAssembly } from '../../local/cloudformation/cloud-assembly.ts';

const properties = z.looseObject({
  MemorySize: z.number().default(128),
  Code: z.looseObject({ S3Key: z.string().optional() }),
  Environment: z.looseObject({ Variables: z.record(z.string(), z.unknown()) }).optional(),
});

/** A function of the pipeline, as its template declares it. */
export interface DeployedFunction {
  readonly memoryMiB: number;
  /** The folder of its code. */
  readonly folder: string;
  /** A value that is known at deployment only is an object. */
  readonly environment: Readonly<Record<string, unknown>>;
}

/** Returns the functions in a cloud assembly by their service name, for example `ingest`. */
export function functionsIn(directory: string): ReadonlyMap<string, DeployedFunction> {
  const functions = new Map<string, DeployedFunction>();
  for (const { template, assets } of readCloudAssembly(directory))
    for (const { Type, Properties } of Object.values(template.Resources)) {
      if (Type !== 'AWS::Lambda::Function') continue;
      const { MemorySize: memoryMiB, Code, Environment } = properties.parse(Properties);
      const { Variables: environment = {} } = Environment ?? {};
      const name = environment.POWERTOOLS_SERVICE_NAME;
      const folder = assets.get(Code.S3Key ?? '');
      if (typeof name === 'string' && folder !== undefined)
        functions.set(name, { memoryMiB, folder, environment });
    }
  return functions;
}
