import type { DetailType, detailTypes } from '../../functions/core/bus/detail-types.ts';
import type { AtLeastOne, DetailFilter, ExactlyOne, OneOrMore, TextOperators } from './detail-filter.ts';

/** Which changes of a message's status; `{}` means all of them. */
export type DeliveryStatusFilter = DetailFilter<typeof detailTypes.statusChanged>;

/** How the text of a reply reads; case matters but for `equalsIgnoreCase`. */
export type TextMatch = ExactlyOne<{ readonly equals: string } & TextOperators>;

/** Which replies; `{}` means all of them. */
export type ReplyFilter = Omit<DetailFilter<typeof detailTypes.replyReceived>, 'text'> & {
  /** One or several, of which any may be met. Texts longer than 10,000 characters are compared cut. */
  readonly textMatches?: OneOrMore<TextMatch>;
};

/** Events of one detail type, filtered by its own fields. */
type EventsOf<T extends DetailType> = {
  readonly [K in T]: { readonly detailType: K; readonly detail?: DetailFilter<K> };
}[T];

/** Events of one detail type, filtered if need be, or all events of several. */
export type EventFilter =
  | EventsOf<DetailType>
  | { readonly detailType: AtLeastOne<DetailType>; readonly detail?: never };
