export type {
  insightsQuery,
  messageListQuery,
  optOutListQuery,
  quarantineQuery,
  replyListQuery,
  sendListQuery,
  sendMessagesQuery,
  stateQuery,
} from './api/routes/parameters.ts';
export { ParametersError, type Problem, problem, problemSchema } from './api/routes/problem.ts';
export type { HealthView, healthSchema, replaySchema } from './api/views/console-schemas.ts';
export {
  type InsightGroup,
  type InsightsView,
  insightGroups,
  insightsSchema,
  type OutcomeCounts,
  type SendFiguresView,
  sendFiguresSchema,
  sendSchema,
} from './api/views/figures-schemas.ts';
export {
  conversationSchema,
  messageSchema,
  optOutSchema,
  pageSchema,
  quarantinedSchema,
  quarantineEntrySchema,
  type quarantineReasonSchema,
  replySchema,
  searchSchema,
  timelineEntrySchema,
} from './api/views/view-schemas.ts';
