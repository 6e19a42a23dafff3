import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, isAbsolute, relative, sep } from 'node:path';

/** Thrown for a file that another user of the machine can decide about, or that is a pipe or a device. */
export class ForeignFileError extends Error {
  override readonly name = 'ForeignFileError';
}

/** What the system says about a file, and about this process. */
interface FileOwner {
  /** The numeric id of the user. */
  readonly uid: number;
  /** The numeric id of the group. */
  readonly gid: number;
}

/** The bits of a mode that allow the group, and all others, to write. */
const groupWrites = 0o020;
const othersWrite = 0o002;

/**
 * Returns why a file cannot be trusted; undefined if only this user and the administrator can write it. The user's own group may write it,
 * because with a umask of 002 it can write each file. On macOS that is the group of all users, whose umask is 022.
 */
export function whyForeign(
  { uid, gid, mode }: FileOwner & { readonly mode: number },
  self: FileOwner,
): string | undefined {
  if (uid !== self.uid && uid !== 0) return `belongs to another user of this machine (uid ${uid})`;
  const isShared = (mode & othersWrite) !== 0 || ((mode & groupWrites) !== 0 && gid !== self.gid);
  return isShared ? 'can be written by other users of this machine (chmod go-w takes that away)' : undefined;
}

/** Returns why the path to a file cannot be trusted, if it may be a link. The mode of a link says nothing. */
export function whyForeignLink({ uid, gid }: FileOwner, self: FileOwner): string | undefined {
  return whyForeign({ uid, gid, mode: 0 }, self);
}

/**
 * Reads a file that decides where data is sent, or what is executed.
 *
 * @throws ForeignFileError with the path and the reason if another user can decide about it, also by a symbolic link; the error of the system
 *   for a file that cannot be read
 */
export function readOwnFile(path: string): string {
  return readRegularFile(path, ({ uid, gid, mode }) =>
    // File systems of Windows show each file as one that all may write. A folder that the user works in is trusted as far as its owner is.
    requireOwn(path, { uid, gid, mode: isBelow(process.cwd(), path) ? 0 : mode }),
  );
}

/**
 * Reads a file, and nothing that has no end.
 *
 * @param check throws for a file that shall not be read
 * @throws ForeignFileError for a pipe or a device; the error of the system for a file that cannot be read
 */
export function readRegularFile(path: string, check?: (found: Stats) => void): string {
  // Without O_NONBLOCK, the pipe of another user would make this process wait before the check.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = fstatSync(file);
    check?.(found);
    if (found.isFIFO()) throw new ForeignFileError(`${path} is a pipe, and not a file`);
    // Such a file may have no end. A folder has an error of the system.
    if (!found.isFile() && !found.isDirectory())
      throw new ForeignFileError(`${path} is a device, and not a file`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/**
 * Reads a file as {@link readOwnFile} does, if it is in the folder of its path. A folder from outside, such as a clone, may have links to files
 * of the user, whose content must not be shown.
 *
 * @throws ForeignFileError
 */
export function readOwnFileOfFolder(path: string): string {
  if (!isBelow(realpathSync(dirname(path)), realpathSync(path)))
    throw new ForeignFileError(`${path} is a link to a file of another folder`);
  return readOwnFile(path);
}

/** Requires that only this user decides what is in a folder, as far as the folder itself says. @throws ForeignFileError as for a file */
export function requireOwnFolder(path: string): void {
  requireOwn(path, statSync(path));
}

/** @param found what the system says about the file or folder that the path leads to */
function requireOwn(path: string, found: FileOwner & { readonly mode: number }): void {
  const self = ownerOfProcess();
  if (self === undefined) return;
  const reason = whyForeign(found, self) ?? whyForeignLink(lstatSync(path), self);
  if (reason !== undefined) throw new ForeignFileError(`${path} ${reason}`);
}

/** Requires that a file that was opened belongs to this user. @throws ForeignFileError with the path and the reason */
export function requireOwner(path: string, found: FileOwner): void {
  const self = ownerOfProcess();
  const reason = self && whyForeignLink(found, self);
  if (reason !== undefined) throw new ForeignFileError(`${path} ${reason}`);
}

/** Windows has no such owners. */
function ownerOfProcess(): FileOwner | undefined {
  const { getuid, getgid } = process;
  return getuid === undefined || getgid === undefined ? undefined : { uid: getuid(), gid: getgid() };
}

function isBelow(folder: string, path: string): boolean {
  const [first = ''] = relative(folder, path).split(sep);
  return first !== '..' && !isAbsolute(first);
}
