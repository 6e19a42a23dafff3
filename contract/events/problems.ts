/** The reason why a whole body cannot be read. */
export type BodyProblem = 'empty-body' | 'not-utf8' | 'not-json' | 'too-deep';

/** The reason why one event of a body cannot be read. */
export type EventProblem =
  | 'no-events'
  | 'too-many-events'
  | 'events-dropped'
  | 'unknown-kind'
  | 'missing-field'
  | 'bad-field'
  | 'bad-encoding'
  | 'field-too-long'
  | 'bad-time'
  | 'expression-failed';
