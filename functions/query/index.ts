export { personOfArn, roles } from './api/caller.ts';
export { answerInsights, listSends, maxDays } from './api/figures.ts';
export { AmbiguousIdError, findOne } from './api/find-by-id.ts';
export type { idMaskKeyPrefix } from './api/id-mask-key-store.ts';
export { masked, numbersIn } from './api/mask.ts';
export { visiblePart } from './api/masked-ids.ts';
export { consolePageHeaders, contentSecurityPolicy, pageFilePaths } from './api/page-headers.ts';
export { consoleRoutes } from './api/routes/console-routes.ts';
export { methodsOf, type Route, type RouteName, routeNames, routes } from './api/routes/routes.ts';
export { selectMessages, selectOptOuts, selectReplies, selectTimeline } from './api/selections.ts';
export { viewSend, viewSendFigures } from './api/views/figures-views.ts';
export {
  type MessageView,
  messageColumns,
  type OptOutView,
  type QuarantineEntryView,
  type ReplyView,
  replyColumns,
  viewMessage,
  viewMessageRow,
  viewOptOut,
  viewQuarantined,
  viewQuarantineEntry,
  viewReply,
  viewReplyRow,
  viewStatement,
  viewTimelineEntry,
} from './api/views/views.ts';
export type { FurtherSource } from './console/further-source.ts';
export { createHealthReader, type HealthPorts, type WebhookHealth } from './console/read-health.ts';
export { answerReplay } from './console/replay.ts';
export { judgeAlarms } from './health/alarms.ts';
export { judgeDrift, mismatchesOf } from './health/contract-drift.ts';
export { judgeDeadLetters, judgeQueues } from './health/queues.ts';
export {
  failed,
  type NamedVerdict,
  ok,
  skipped,
  type Verdict,
  verdictStates,
  warn,
  worstOf,
} from './health/verdict.ts';
export { byHand, judgeLastReconcile, judgeVerified } from './health/webhook.ts';
