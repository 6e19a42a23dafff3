import {
  type EventBridgeClient,
  ListRulesCommand,
  ListTargetsByRuleCommand,
} from '@aws-sdk/client-eventbridge';

/** A rule of the bus. */
export interface BusRule {
  readonly name: string;
  readonly arn: string;
  readonly enabled: boolean;
}

/** The rules of a pipeline's bus, also those that other accounts made. */
export interface BusRules {
  /** Returns the rules of the bus, without EventBridge's own. */
  rules(): Promise<readonly BusRule[]>;
  /** Returns the ARNs of a rule's targets. */
  targets(rule: string): Promise<readonly string[]>;
}

/** @param busName of the pipeline's event bus */
export function createBusRules(client: EventBridgeClient, busName: string): BusRules {
  return {
    async rules() {
      const rules: BusRule[] = [];
      let NextToken: string | undefined;
      do {
        const page = await client.send(new ListRulesCommand({ EventBusName: busName, NextToken }));
        for (const { Name, Arn, State, ManagedBy } of page.Rules ?? [])
          if (Name !== undefined && Arn !== undefined && ManagedBy === undefined)
            rules.push({ name: Name, arn: Arn, enabled: State !== 'DISABLED' });
        NextToken = page.NextToken;
      } while (NextToken !== undefined);
      return rules;
    },

    async targets(rule) {
      const arns: string[] = [];
      let NextToken: string | undefined;
      do {
        const command = new ListTargetsByRuleCommand({ EventBusName: busName, Rule: rule, NextToken });
        const page = await client.send(command);
        arns.push(...(page.Targets ?? []).flatMap(({ Arn }) => Arn ?? []));
        NextToken = page.NextToken;
      } while (NextToken !== undefined);
      return arns;
    },
  };
}
