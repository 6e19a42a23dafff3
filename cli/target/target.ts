/** Names the pipeline that a command works with. */
export interface Target {
  /** Whether the pipeline runs on this machine; otherwise it is deployed. */
  readonly local: boolean;
  /** The folder of the local run's outputs, relative to the project. */
  readonly directory: string;
  /** The stack that holds the pipeline; with several pipelines in it `<name>:<prefix of the outputs' names>`. */
  readonly stack: string;
  /** The source whose webhook, secret, queues and lookups the command is about; `main` without it. Lists and figures are of all sources without it. */
  readonly source?: string;
  readonly region?: string;
  /** A profile of the AWS configuration files. */
  readonly profile?: string;
}
