import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { compareOptOutChanges, type OptOutChange, registerKeysOf } from '../../opt-out/opt-out-store.ts';

/** Looks numbers up in the register of opt-outs. */
export interface OptOutReader {
  /**
   * Returns the latest state of a number in any of its spellings, strongly consistent.
   *
   * @returns undefined where the number never sent a keyword, or was erased
   */
  read(phone: string): Promise<Pick<OptOutChange, 'state'> | undefined>;
}

const registered = z.object({ state: z.enum(['out', 'in']), changedAt: z.string(), replyId: z.string() });

export function createOptOutReader(client: DynamoDBClient, tableName: string): OptOutReader {
  return {
    async read(phone) {
      const answers = await Promise.all(
        registerKeysOf(phone).map((key) =>
          client.send(
            new GetItemCommand({ TableName: tableName, Key: { pk: { S: key } }, ConsistentRead: true }),
          ),
        ),
      );
      const changes = answers.flatMap(({ Item }) => {
        if (Item === undefined) return [];
        const { state, changedAt: at, replyId } = registered.parse(unmarshall(Item));
        return [{ state, at, replyId }];
      });
      const last = changes.sort(compareOptOutChanges).at(-1);
      return last && { state: last.state };
    },
  };
}
