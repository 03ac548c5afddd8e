/** Which file on the disk is which of those that are known: by its first bytes, however it was moved, copied or compressed. */
import { digest, type FoundFile, headSize } from './found-file.ts'
import { headOf, type Position } from './position-file.ts'

/** A file of the log, and how far it is shipped. */
export interface KnownFile {
  readonly found: FoundFile
  readonly position: Position
}

export interface Recognised {
  /** In the order of the files; what is but a copy of another is left out. */
  readonly files: readonly KnownFile[]
  /** Those among the positions that were made for files that nobody knew. */
  readonly added: readonly Position[]
  /** Positions whose file is nowhere. */
  readonly missing: readonly Position[]
}

/** Finds the file of each position, and gives every other file one of its own. */
export function recognise(found: readonly FoundFile[], positions: readonly Position[]): Recognised {
  const owners = ownersOf(found, positions)
  const missing = positions.filter((position) => !owners.has(position))
  const taken = new Set(owners.values())
  const added: Position[] = []
  // a file is known before its compressed copy is looked at
  for (const file of found.toSorted(compressedLast)) {
    const begun = taken.has(file) || isCopy(file, owners) ? undefined : begin(file)
    if (!begun) continue
    owners.set(begun, file)
    added.push(begun)
  }
  const positionOf = new Map([...owners].map(([position, file]) => [file, position]))
  const files = found.flatMap((file) => {
    const position = positionOf.get(file)
    return position ? [{ found: file, position: grown(position, file) }] : []
  })
  return { files, added, missing }
}

function compressedLast(one: FoundFile, other: FoundFile): number {
  return Number(one.member.isCompressed) - Number(other.member.isCompressed)
}

/** The one file of each position: that of the same inode before others, and one that is not compressed before its copy. */
function ownersOf(found: readonly FoundFile[], positions: readonly Position[]): Map<Position, FoundFile> {
  const index = indexOf(positions)
  const pairs = found.flatMap((file) => index(file).map((position) => ({ file, position })))
  const rank = ({ file, position }: (typeof pairs)[number]) =>
    (file.inode === position.inode ? 0 : file.member.isCompressed ? 2 : 1) - position.head.length / (2 * headSize)
  const owners = new Map<Position, FoundFile>()
  const taken = new Set<FoundFile>()
  for (const { file, position } of pairs.sort((one, other) => rank(one) - rank(other))) {
    if (owners.has(position) || taken.has(file)) continue
    owners.set(position, file)
    taken.add(file)
  }
  return owners
}

/** Finds the positions that a file may be of: those whose first bytes are its own. */
function indexOf(positions: readonly Position[]): (file: FoundFile) => readonly Position[] {
  const byHead = Map.groupBy(positions, ({ head }) => `${head.length} ${head.hash}`)
  const lengths = [...new Set(positions.map(({ head }) => head.length))]
  return ({ head }) =>
    lengths
      .filter((length) => length <= head.length)
      .flatMap((length) => byHead.get(`${length} ${digest(head.subarray(0, length))}`) ?? [])
}

/**
 * Whether a file holds nothing but what another does: one that is being copied before it is emptied, or compressed before it
 * goes away. What is longer than the other is a log of its own that happens to begin alike.
 */
function isCopy(file: FoundFile, owners: ReadonlyMap<Position, FoundFile>): boolean {
  return [...owners].some(([position, owner]) => {
    const length = Math.min(position.head.length, file.head.length)
    return file.size <= owner.size && owner.head.subarray(0, length).equals(file.head.subarray(0, length))
  })
}

/** The more a file holds, the surer it is known again. */
function grown(position: Position, { inode, head }: FoundFile): Position {
  position.inode = inode
  if (head.length > position.head.length) position.head = headOf(head)
  return position
}

/** A file without a whole line is not begun: so short a beginning would fit many. */
function begin({ head, inode, member }: FoundFile): Position | undefined {
  const lineEnd = head.indexOf('\n')
  if (lineEnd === -1 && head.length < headSize && !member.isCompressed) return undefined
  const line = head.subarray(0, lineEnd === -1 ? head.length : lineEnd)
  return { key: digest(line), inode, head: headOf(head), offset: 0, isWhole: false }
}
