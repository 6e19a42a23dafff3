import * as z from 'zod';
import { type AwsRequest, type Permission, UnknownCallError } from '../aws-protocol/call.ts';
import type { ServiceCall, ServiceDefinition } from '../services/definition/define-service.ts';
import { services } from '../services/services.ts';

/** The service that a request is for, and the operation it asks for. */
export interface Addressee {
  readonly service: ServiceDefinition;
  readonly operation: string;
}

/** Undefined for a service that is not known here. */
export function addresseeOf(request: AwsRequest, body: Buffer): Addressee | undefined {
  if (request.target !== undefined) {
    const [prefix = '', operation = ''] = request.target.split('.');
    const service = services.find(({ targets }) => targets?.includes(prefix));
    return service && { service, operation };
  }
  for (const service of services) {
    const operation = service.operationOf?.(request, body);
    if (operation !== undefined) return { service, operation };
  }
  return undefined;
}

/**
 * Works out which permissions a call needs.
 * @throws UnknownCallError for an operation that the service does not list, or a request that does not name its resource
 */
export async function permissionsOf(
  service: ServiceDefinition,
  call: ServiceCall,
): Promise<readonly Permission[]> {
  try {
    return await service.permissions(call);
  } catch (error) {
    if (error instanceof z.ZodError || error instanceof SyntaxError) {
      throw new UnknownCallError(`${service.name}:${call.operation} with such an input (${error.message})`);
    }
    throw error;
  }
}
