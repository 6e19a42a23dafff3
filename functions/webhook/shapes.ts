export { webhookReport } from './registration/webhook-report-schema.ts';
