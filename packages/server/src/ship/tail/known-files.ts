/** Matches files on the disk with saved positions by their first bytes, even if they were moved, copied or compressed. */
import { digest, type FoundFile, headSize } from './found-file.ts'
import { headOf, type Position } from './position-file.ts'

/** A file of the log, and the position up to which it is shipped. */
export interface KnownFile {
  readonly file: FoundFile
  readonly position: Position
}

export interface RecognizedFiles {
  /** Files in their order, without copies of other files. */
  readonly files: readonly KnownFile[]
  /** New positions, of files that had none. */
  readonly newPositions: readonly Position[]
  /** Positions whose file was not found. */
  readonly missing: readonly Position[]
}

/** Finds the file of each position, and creates positions for all other files. */
export function recognize(foundFiles: readonly FoundFile[], positions: readonly Position[]): RecognizedFiles {
  const owners = ownersOf(foundFiles, positions)
  const missing = positions.filter((position) => !owners.has(position))
  const matched = new Set(owners.values())
  const newPositions: Position[] = []
  // A file comes before its compressed copy.
  for (const file of foundFiles.toSorted(compressedLast)) {
    const position = matched.has(file) || isCopy(file, owners) ? undefined : newPosition(file)
    if (!position) continue
    owners.set(position, file)
    newPositions.push(position)
  }
  const positionOf = new Map([...owners].map(([position, file]) => [file, position]))
  const files = foundFiles.flatMap((file) => {
    const position = positionOf.get(file)
    return position ? [{ file, position: updatePosition(position, file) }] : []
  })
  return { files, newPositions, missing }
}

function compressedLast(a: FoundFile, b: FoundFile): number {
  return Number(a.member.isCompressed) - Number(b.member.isCompressed)
}

/** The file of each position. A file with the same inode has priority, then one that is not compressed. */
function ownersOf(foundFiles: readonly FoundFile[], positions: readonly Position[]): Map<Position, FoundFile> {
  const index = indexOf(positions)
  const pairs = foundFiles.flatMap((file) => index(file).map((position) => ({ file, position })))
  const rank = ({ file, position }: (typeof pairs)[number]) =>
    (file.inode === position.inode ? 0 : file.member.isCompressed ? 2 : 1) - position.head.length / (2 * headSize)
  const owners = new Map<Position, FoundFile>()
  const matched = new Set<FoundFile>()
  for (const { file, position } of pairs.sort((a, b) => rank(a) - rank(b))) {
    if (owners.has(position) || matched.has(file)) continue
    owners.set(position, file)
    matched.add(file)
  }
  return owners
}

/** Finds the positions whose first bytes equal those of a file. */
function indexOf(positions: readonly Position[]): (file: FoundFile) => readonly Position[] {
  const byHead = Map.groupBy(positions, ({ head }) => `${head.length} ${head.hash}`)
  const lengths = [...new Set(positions.map(({ head }) => head.length))]
  return ({ head }) =>
    lengths
      .filter((length) => length <= head.length)
      .flatMap((length) => byHead.get(`${length} ${digest(head.subarray(0, length))}`) ?? [])
}

/**
 * Whether a file is a copy of another one, which is about to be truncated, or deleted after compression. A longer file is not a
 * copy; it only starts with the same bytes.
 */
function isCopy(file: FoundFile, owners: ReadonlyMap<Position, FoundFile>): boolean {
  return [...owners].some(([position, owner]) => {
    const length = Math.min(position.head.length, file.head.length)
    return file.size <= owner.size && owner.head.subarray(0, length).equals(file.head.subarray(0, length))
  })
}

/** Updates inode and head. A longer head identifies the file more reliably. */
function updatePosition(position: Position, { inode, head }: FoundFile): Position {
  position.inode = inode
  if (head.length > position.head.length) position.head = headOf(head)
  return position
}

/** The position of a new file; undefined if it has no complete line yet, because its head would match many files. */
function newPosition({ head, inode, member }: FoundFile): Position | undefined {
  const lineEnd = head.indexOf('\n')
  if (lineEnd === -1 && head.length < headSize && !member.isCompressed) return undefined
  const line = head.subarray(0, lineEnd === -1 ? head.length : lineEnd)
  return { key: digest(line), inode, head: headOf(head), offset: 0, isWhole: false }
}
