import { AwsError } from '../../aws-protocol/aws-json.ts';

const CURRENT = 'AWSCURRENT';
const PREVIOUS = 'AWSPREVIOUS';

/** A secret's value, as text or as base64 of binary data. */
export interface SecretValue {
  readonly string?: string;
  readonly binary?: string;
}

export interface SecretVersion extends SecretValue {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly createdAt: number;
}

/**
 * A secret with its versions and their staging labels. A label is on at most one version. Moving AWSCURRENT puts AWSPREVIOUS on the version that
 * had it (Secrets Manager user guide, "Secret versions").
 */
export class Secret {
  readonly name: string;
  readonly arn: string;
  readonly description: string | undefined;
  /** Seconds since the epoch. */
  readonly createdAt: number;
  changedAt: number;
  readonly #versions = new Map<string, SecretVersion>();
  readonly #stages = new Map<string, string>();

  constructor(name: string, arn: string, description: string | undefined, now: number) {
    this.name = name;
    this.arn = arn;
    this.description = description;
    this.createdAt = now;
    this.changedAt = now;
  }

  /** Adds a version, or confirms that the version with this id has exactly this value already. */
  put(id: string, value: SecretValue, stages: readonly string[], now: number): SecretVersion {
    const existing = this.#versions.get(id);
    if (existing) {
      if (existing.string !== value.string || existing.binary !== value.binary) {
        throw new AwsError('ResourceExistsException', 'A resource with the ID you requested already exists.');
      }
      return existing;
    }
    const version = { id, ...value, createdAt: now };
    this.#versions.set(id, version);
    // The first version is always the current one, whatever its labels are.
    const labels = this.#versions.size === 1 ? new Set([...stages, CURRENT]) : new Set(stages);
    for (const stage of labels) this.#attach(stage, id);
    this.changedAt = now;
    return version;
  }

  find(versionId: string | undefined, stage: string | undefined): SecretVersion {
    const label = stage ?? CURRENT;
    const staged = this.#versions.get(this.#stages.get(label) ?? '');
    const version = versionId === undefined ? staged : this.#versions.get(versionId);
    if (!version || (versionId !== undefined && stage !== undefined && staged !== version)) {
      const requested = versionId === undefined ? `staging label: ${label}` : `VersionId: ${versionId}`;
      throw new AwsError(
        'ResourceNotFoundException',
        `Secrets Manager can't find the specified secret value for ${requested}`,
      );
    }
    return version;
  }

  /**
   * Moves a label from the version that has it to another version. The caller must name the version that has it:
   * "If the label is attached and you either do not specify this parameter, or the version ID does not match, then the
   * operation fails" (API reference, UpdateSecretVersionStage). This also applies to a label that is already at its destination.
   */
  moveStage(stage: string, from: string | undefined, to: string | undefined, now: number): void {
    const holder = this.#stages.get(stage);
    if (holder !== from) {
      const isAt =
        holder === undefined ? 'not attached to a version' : `currently attached to version ${holder}`;
      throw new AwsError(
        'InvalidParameterException',
        `Staging label ${stage} is ${isAt}, so RemoveFromVersionId can't be ${from ?? 'empty'}.`,
      );
    }
    if (to === undefined) {
      if (stage === CURRENT) {
        throw new AwsError(
          'InvalidParameterException',
          `You can only move staging label ${CURRENT} to a different version.`,
        );
      }
      this.#stages.delete(stage);
    } else {
      this.find(to, undefined);
      this.#attach(stage, to);
    }
    this.changedAt = now;
  }

  stagesOf(versionId: string): string[] {
    return [...this.#stages].filter(([, id]) => id === versionId).map(([stage]) => stage);
  }

  /** The versions with a label, newest first. A version without a label is deprecated. */
  versions(includeDeprecated: boolean): SecretVersion[] {
    const all = [...this.#versions.values()].reverse();
    return includeDeprecated ? all : all.filter((version) => this.stagesOf(version.id).length > 0);
  }

  #attach(stage: string, versionId: string): void {
    const holder = this.#stages.get(stage);
    if (holder === versionId) return;
    this.#stages.set(stage, versionId);
    if (stage === CURRENT && holder !== undefined) this.#stages.set(PREVIOUS, holder);
    if (stage === CURRENT && this.#stages.get(PREVIOUS) === versionId) this.#stages.delete(PREVIOUS);
  }
}
