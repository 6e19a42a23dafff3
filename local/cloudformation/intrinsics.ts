import { ACCOUNT, REGION } from '../aws-protocol/call.ts';
import { TemplateError } from './template.ts';

/** The values that intrinsic functions look up. Each method throws {@link TemplateError} for an unknown name. */
export interface Scope {
  readonly stackName: string;
  /** The value of `Ref` for a resource or a parameter. */
  ref(name: string): unknown;
  /** The value of `Fn::GetAtt`. */
  attribute(logicalId: string, name: string): unknown;
  /** The value of `Fn::FindInMap`. */
  mapped(map: string, first: string, second: string): unknown;
  /** The value that another stack exports under this name. */
  exported(name: string): unknown;
}

/** Represents `AWS::NoValue` until its property or list item is removed. */
const NO_VALUE = Symbol('AWS::NoValue');

/**
 * Replaces the intrinsic functions in a template's value by their results.
 * @throws TemplateError for an intrinsic function, dynamic reference or name that is not known
 */
export function resolveValue(value: unknown, scope: Scope): unknown {
  const resolved = resolveNode(value, scope);
  return resolved === NO_VALUE ? undefined : resolved;
}

function resolveNode(value: unknown, scope: Scope): unknown {
  if (typeof value === 'string') return rejectDynamicReference(value);
  if (Array.isArray(value)) {
    return value.map((item) => resolveNode(item, scope)).filter((item) => item !== NO_VALUE);
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [first] = entries;
  if (first && entries.length === 1 && isIntrinsic(first[0]))
    return applyIntrinsic(first[0], first[1], scope);
  return Object.fromEntries(
    entries
      .map(([key, item]) => [key, resolveNode(item, scope)] as const)
      .filter(([, item]) => item !== NO_VALUE),
  );
}

function isIntrinsic(key: string): boolean {
  return key === 'Ref' || key.startsWith('Fn::');
}

function applyIntrinsic(name: string, argument: unknown, scope: Scope): unknown {
  switch (name) {
    case 'Ref':
      return ref(text(argument, name), scope);
    case 'Fn::GetAtt': {
      const [logicalId, attribute] = attributePath(argument);
      return scope.attribute(logicalId, attribute);
    }
    case 'Fn::Join': {
      const [delimiter, items] = list(argument, name);
      return list(resolveNode(items, scope), name)
        .map((item) => text(item, name))
        .join(text(delimiter, name));
    }
    case 'Fn::Sub':
      return substitute(argument, scope);
    case 'Fn::Select': {
      const [index, items] = list(resolveNode(argument, scope), name);
      const selected = list(items, name)[Number(index)];
      if (selected === undefined) throw new TemplateError(`Fn::Select has no item ${String(index)}`);
      return selected;
    }
    case 'Fn::Split': {
      const [delimiter, source] = list(resolveNode(argument, scope), name);
      return text(source, name).split(text(delimiter, name));
    }
    case 'Fn::FindInMap': {
      const [map, first, second] = list(resolveNode(argument, scope), name).map((item) => text(item, name));
      return scope.mapped(map ?? '', first ?? '', second ?? '');
    }
    case 'Fn::ImportValue':
      return scope.exported(text(resolveNode(argument, scope), name));
    default:
      throw new TemplateError(`the intrinsic function ${name} is not supported on one machine`);
  }
}

function ref(name: string, scope: Scope): unknown {
  switch (name) {
    case 'AWS::Region':
      return REGION;
    case 'AWS::AccountId':
      return ACCOUNT;
    case 'AWS::Partition':
      return 'aws';
    case 'AWS::URLSuffix':
      return 'amazonaws.com';
    case 'AWS::StackName':
      return scope.stackName;
    case 'AWS::StackId':
      return `arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/${scope.stackName}/local`;
    case 'AWS::NoValue':
      return NO_VALUE;
    default:
      if (name.startsWith('AWS::')) throw new TemplateError(`the pseudo parameter ${name} is not supported`);
      return scope.ref(name);
  }
}

/** `Fn::Sub`: `${Name}`, `${Name.Attribute}`, `${!Literal}`, with or without a map of variables. */
function substitute(argument: unknown, scope: Scope): string {
  const [pattern, variables] = Array.isArray(argument) ? argument : [argument, {}];
  const own = new Map(Object.entries(record(variables)));
  return text(pattern, 'Fn::Sub').replaceAll(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
    if (literal) return `\${${name}}`;
    if (own.has(name)) return text(resolveNode(own.get(name), scope), 'Fn::Sub');
    const dot = name.indexOf('.');
    const value = dot < 0 ? ref(name, scope) : scope.attribute(name.slice(0, dot), name.slice(dot + 1));
    return text(value, 'Fn::Sub');
  });
}

/** The logical id and the attribute of a `Fn::GetAtt`, which may be a list or one dotted string. */
export function attributePath(argument: unknown): [string, string] {
  if (typeof argument === 'string') {
    const dot = argument.indexOf('.');
    if (dot > 0) return [argument.slice(0, dot), argument.slice(dot + 1)];
  }
  const [logicalId, attribute] = list(argument, 'Fn::GetAtt');
  return [text(logicalId, 'Fn::GetAtt'), text(attribute, 'Fn::GetAtt')];
}

function rejectDynamicReference(value: string): string {
  if (value.includes('{{resolve:'))
    throw new TemplateError('dynamic references ({{resolve:...}}) are not supported');
  return value;
}

function list(value: unknown, intrinsic: string): unknown[] {
  if (!Array.isArray(value)) throw new TemplateError(`${intrinsic} expects a list`);
  return value;
}

function record(value: unknown): object {
  if (typeof value !== 'object' || value === null)
    throw new TemplateError('Fn::Sub expects a map of variables');
  return value;
}

function text(value: unknown, intrinsic: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TemplateError(`${intrinsic} expects a string`);
}
