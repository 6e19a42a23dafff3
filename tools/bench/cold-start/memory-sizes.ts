import { renderTable } from '../../support/table.ts';
import { costOf } from '../cost/prices.ts';
import type { Figures } from './cold-start-figures.ts';

/** Memory sizes of a Lambda function, in MB as Lambda counts them. */
const memorySizes = [128, 256, 512, 1024, 1769] as const;

/** Memory at which Lambda gives a function one whole vCPU (Lambda Developer Guide, "Configure Lambda function memory"). */
const wholeCpuMb = 1769;

/** The estimated times of a function on Lambda, from its times here. */
interface MemoryEstimate {
  /** From the start of the process until its first answer. */
  readonly coldAnswerMs: number;
  /** GB-seconds of a million warm requests, in US dollars. */
  readonly dollars: number;
}

/**
 * Estimates the times of a function with this memory, if a vCPU of Lambda were as fast as one here. Its start has a whole vCPU whatever the
 * memory (Serverless Land, "Init heavy lifting": "On-demand Lambda functions use a full vCPU"); an invocation has memory / 1,769 MB of
 * one for its processor time, and takes no less than it did here. A million requests are billed by whole milliseconds begun.
 */
export function estimateAt(
  memoryMb: number,
  { initMs, initCpuMs, firstResponseMs, firstCpuMs, warmMs, warmCpuMs }: Figures,
): MemoryEstimate {
  const share = Math.min(1, memoryMb / wholeCpuMb);
  const firstMs = Math.max(firstResponseMs, firstCpuMs / share);
  const warm = Math.max(warmMs, warmCpuMs / share);
  const gbSeconds = ((1e6 * Math.ceil(warm)) / 1000) * (memoryMb / 1024);
  return {
    coldAnswerMs: Math.max(initMs, initCpuMs) + firstMs,
    dollars: costOf('lambdaGbSeconds', gbSeconds),
  };
}

const legend = [
  'cold answer: init and first response together. USD a million: GB-seconds of a million warm requests on arm64, by whole milliseconds begun.',
  'A vCPU of Lambda is taken to be as fast as a core here, and AWS to answer at once; what Lambda does before the process starts is left out.',
];

/** A table for people, with what it rests on: ingest with each memory size, beside the same handler bundled with esbuild's defaults. */
export function renderMemory(own: Figures, defaults: Figures): string {
  const head = ['MB', 'cold answer ms', 'defaults', 'USD a million'];
  const body = memorySizes.map((memoryMb) => {
    const [estimate, beside] = [estimateAt(memoryMb, own), estimateAt(memoryMb, defaults)];
    return [
      String(memoryMb),
      estimate.coldAnswerMs.toFixed(0),
      beside.coldAnswerMs.toFixed(0),
      estimate.dollars.toFixed(3),
    ];
  });
  return [renderTable([head, ...body]), ...legend].join('\n');
}
