import type { Stack } from '../../local/cloudformation/cloud-assembly.ts';
import type { ResourceRequest } from '../../local/cloudformation/deploy-stack.ts';
import { parseTemplate } from '../../local/cloudformation/template.ts';

/** A stack without assets. */
export function stackOf(template: object = {}, name = 'Pipeline'): Stack {
  return { name, template: parseTemplate(template), assets: new Map() };
}

/** The request to make a resource of a stack; the type is the last part of its logical id too. @param notes receives lines for the terminal */
export function resourceRequest(
  type: string,
  properties: object,
  logicalId = type.split('::').at(-1) ?? '',
  notes: string[] = [],
): ResourceRequest {
  return {
    stack: stackOf(),
    logicalId,
    type,
    properties: { ...properties },
    note: (line) => void notes.push(line),
  };
}
