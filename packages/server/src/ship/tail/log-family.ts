/** The files of one log, by their names: the current one and the rotated ones. */

export interface FamilyMember {
  readonly name: string
  /** Whether it is the file that is being written. */
  readonly isCurrent: boolean
  readonly isCompressed: boolean
  /** The age from the name: a day with a number, or a number that increases with age. */
  readonly age: { readonly kind: 'day' | 'number'; readonly at: string; readonly number: number }
}

/** `.2026-11-15`, `.2026-11-15.2.gz`, `-20261115.gz`, `.1`, `.2.gz`: the names of this service, logrotate and others. */
const rotatedSuffix = /^[.-](\d[\dT:_-]*)(?:\.(\d+))?(\.gz)?$/

/** Parses a file name; undefined if it is not a file of the log. */
export function familyMember(log: string, name: string): FamilyMember | undefined {
  if (name === log) return { name, isCurrent: true, isCompressed: false, age: { kind: 'day', at: '', number: 0 } }
  const [, stamp = '', number, compressed] = (name.startsWith(log) && rotatedSuffix.exec(name.slice(log.length))) || []
  if (stamp === '') return undefined
  const isNumber = /^\d{1,6}$/.test(stamp) && number === undefined
  const age = isNumber
    ? { kind: 'number' as const, at: '', number: Number(stamp) }
    : { kind: 'day' as const, at: stamp.replaceAll(/\D/g, '').padEnd(14, '0'), number: Number(number ?? 1) }
  return { name, isCurrent: false, isCompressed: compressed !== undefined, age }
}

interface DatedMember {
  readonly member: FamilyMember
  /** The time of the last write, in milliseconds since the epoch. */
  readonly modifiedMs: number
}

/** Sorts the oldest file first and the current one last. */
export function byAge(first: DatedMember, second: DatedMember): number {
  const [a, b] = [first.member, second.member]
  if (a.isCurrent !== b.isCurrent) return a.isCurrent ? 1 : -1
  if (a.age.kind !== b.age.kind) return first.modifiedMs - second.modifiedMs
  if (a.age.kind === 'number') return b.age.number - a.age.number
  return a.age.at === b.age.at ? a.age.number - b.age.number : a.age.at < b.age.at ? -1 : 1
}
