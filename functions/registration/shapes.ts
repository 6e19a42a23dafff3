export { webhookReport } from './webhook-report-schema.ts';
