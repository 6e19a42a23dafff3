import { Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct, type IConstruct } from 'constructs';
import { acknowledgeWildcard } from '../building-blocks/grants.ts';

/** A search has its number in the body. No other POST is a query. */
const queries = ['GET/v1/*', 'HEAD/v1/*', 'POST/v1/search'];

/**
 * Allows queries at the HTTP API of a pipeline, and nothing else there.
 *
 * @param scope its stack has the API's account and region
 */
export function grantQueries(scope: IConstruct, apiId: string, grantee: IGrantable): Grant {
  const resourceArns = queries.map((resourceName) =>
    Stack.of(scope).formatArn({ service: 'execute-api', resource: apiId, resourceName: `*/${resourceName}` }),
  );
  // The policy is below the role.
  const { grantPrincipal } = grantee;
  const owner = Construct.isConstruct(grantPrincipal) ? grantPrincipal : scope;
  for (const arn of resourceArns)
    acknowledgeWildcard(
      owner,
      arn,
      'The wildcards stand for the only stage of this API and for the paths below one route of it: the ids of messages, numbers and sends.',
    );
  return Grant.addToPrincipal({ grantee, actions: ['execute-api:Invoke'], resourceArns });
}
