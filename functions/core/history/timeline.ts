import type { Message } from './message.ts';
import type { Reply } from './reply.ts';

/** An entry of a number's timeline. */
export type TimelineEntry =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'reply'; readonly reply: Reply };
