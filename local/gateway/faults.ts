import type { ServerResponse } from 'node:http';
import type { Service } from './call.ts';

/** A function's call, as far as somebody who wants it to fail needs to know. */
export interface FaultyCall {
  /** The function's label, for example `worker`. */
  readonly caller: string;
  readonly service: Service;
  /** For example `UpdateItem`. */
  readonly operation: string;
}

/**
 * Takes the place of forwarding an allowed call.
 *
 * @param response to answer, to leave open or to destroy
 * @param forward hands the call to its service; `drop` keeps the answer from the function
 */
type Fault = (response: ServerResponse, forward: (answer: 'give' | 'drop') => void) => void;

/** Says what is to go wrong with a call; undefined: nothing. */
export type FaultChooser = (call: FaultyCall) => Fault | undefined;
