import { marshall } from '@aws-sdk/util-dynamodb';
import { type HistorySettings, type Item, listKey, optedOutList } from '../item-keys.ts';
import { importedByIds, phoneAttributes } from '../message-item.ts';
import { type OptOutStatement, optOutKey, stateOfNumber } from './opt-out.ts';

export interface OptOutSettings extends Pick<HistorySettings, 'listShards'> {
  /** Whether a statement that is recorded counts only for the source that it was said to. Statements of before keep what they are about. */
  readonly optOutsBySource?: boolean;
}

/** Returns the item of a number in the register. @param statements at least one, as {@link joinStatements} returns them */
export function optOutItem(statements: readonly OptOutStatement[], settings: OptOutSettings): Item {
  const change = stateOfNumber(statements, settings.optOutsBySource === true);
  if (change === undefined) throw new TypeError('no statements');
  const { phone, state, at, ...cause } = change;
  const key = optOutKey(phone);
  const importIds = statements.flatMap(({ importId }) => importId ?? []);
  const item = marshall(
    {
      pk: key,
      ...phoneAttributes(phone),
      state,
      changedAt: at,
      ...cause,
      ...(state === 'out' ? { listName: listKey(optedOutList, key, settings), listedAt: at } : {}),
      statements,
    },
    { removeUndefinedValues: true },
  );
  return importIds.length === 0 ? item : { ...item, ...importedByIds(importIds) };
}
