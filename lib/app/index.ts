// The module `sms-event-pipeline/stand-alone`: a stack with a pipeline that reads its settings from the context.
export { explainMistakes } from './explain-mistakes.ts';
export { SmsPipelineStack, type SmsPipelineStackProps } from './sms-pipeline-stack.ts';
