/** The files of one log: the one that is written, and those that were put aside, by their names. */

export interface FamilyMember {
  readonly name: string
  /** It is the one that is written. */
  readonly isCurrent: boolean
  readonly isCompressed: boolean
  /** What the name tells of its age: a day with a number, or a number that grows with age. */
  readonly age: { readonly kind: 'day' | 'number'; readonly at: string; readonly number: number }
}

/** `.2026-11-15`, `.2026-11-15.2.gz`, `-20261115.gz`, `.1`, `.2.gz`: as this service, logrotate and others name them. */
const aside = /^[.-](\d[\dT:_-]*)(?:\.(\d+))?(\.gz)?$/

/** The member that a file name stands for; undefined for what is no file of the log. */
export function familyMember(log: string, name: string): FamilyMember | undefined {
  if (name === log) return { name, isCurrent: true, isCompressed: false, age: { kind: 'day', at: '', number: 0 } }
  const [, stamp = '', number, compressed] = (name.startsWith(log) && aside.exec(name.slice(log.length))) || []
  if (stamp === '') return undefined
  const isNumber = /^\d{1,6}$/.test(stamp) && number === undefined
  const age = isNumber
    ? { kind: 'number' as const, at: '', number: Number(stamp) }
    : { kind: 'day' as const, at: stamp.replaceAll(/\D/g, '').padEnd(14, '0'), number: Number(number ?? 1) }
  return { name, isCurrent: false, isCompressed: compressed !== undefined, age }
}

interface Aged {
  readonly member: FamilyMember
  /** When it was written last, in milliseconds. */
  readonly modified: number
}

/** Puts the oldest first, and the one that is written last. */
export function byAge(one: Aged, other: Aged): number {
  const [a, b] = [one.member, other.member]
  if (a.isCurrent !== b.isCurrent) return a.isCurrent ? 1 : -1
  if (a.age.kind !== b.age.kind) return one.modified - other.modified
  if (a.age.kind === 'number') return b.age.number - a.age.number
  return a.age.at === b.age.at ? a.age.number - b.age.number : a.age.at < b.age.at ? -1 : 1
}
