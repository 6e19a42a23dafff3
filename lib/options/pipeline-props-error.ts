/** Thrown for props that are wrong or contradict each other; the message has a line for each, with its name. */
export class PipelinePropsError extends Error {
  override readonly name = 'PipelinePropsError';

  constructor(path: string, problems: readonly string[]) {
    super([`The props of the SMS pipeline ${path} are wrong:`, ...problems].join('\n  '));
  }
}
