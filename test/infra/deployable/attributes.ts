import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * The attributes that Fn::GetAtt takes of a type, without dots, as the CDK's class of that type has them (it is made from
 * CloudFormation's own schemas); nothing of custom resources, which may have any.
 */
export function attributesOf(type: string): ReadonlySet<string> | undefined {
  const [vendor, service = '', name] = type.split('::');
  if (vendor !== 'AWS') return undefined;
  const { prototype } = require(`aws-cdk-lib/aws-${service.toLowerCase()}`)[`Cfn${name}`];
  return new Set(
    Object.getOwnPropertyNames(prototype)
      .filter((property) => property.startsWith('attr'))
      .map((property) => property.slice('attr'.length)),
  );
}
