/** Two worlds of the staff service. The caller "ada" sees the same records in both; they differ only in records hidden from her. */
import type { Value } from '@nomen/core'
import type { LoadPart } from '@nomen/server'
import fc from 'fast-check'
import { Tape } from './tape.ts'

export type Row = Readonly<Record<string, Value>>
export type Side = 'A' | 'B'

/** A record is seen and in both worlds, hidden and in both with other values, or hidden and in one of them. */
type Presence = 'seen' | 'hidden' | Side

interface Slot {
  readonly presence: Presence
  /** The choices of its values; the second one is for a hidden record in world B. */
  readonly tape: readonly number[]
  readonly other: readonly number[]
}

/** A pair of positions among all records of the two nouns. Where an end is hidden, it may be linked in one world only. */
interface PairSlot {
  readonly near: number
  readonly far: number
  readonly presence: 'both' | Side
}

const nounNames = ['team', 'member', 'project', 'skill', 'note', 'remark'] as const
export type NounName = (typeof nounNames)[number]

const linkNames = ['member-project', 'project-skill'] as const
type LinkName = (typeof linkNames)[number]

export type Plan = { readonly [Name in NounName]: readonly Slot[] } & {
  readonly [Name in LinkName]: readonly PairSlot[]
}

export interface World {
  readonly rows: Readonly<Record<NounName, readonly Row[]>>
  readonly pairs: Readonly<Record<LinkName, readonly (readonly [Value, Value])[]>>
}

export interface Worlds {
  readonly A: World
  readonly B: World
  isVisible(noun: NounName, row: Row): boolean
  /** Whether the record is hidden, and only in this world. */
  isOnlyIn(side: Side, noun: NounName, row: Row): boolean
}

const tape = fc.array(fc.nat(0xffff), { maxLength: 12, size: 'max' })

const slots = (minLength: number, maxLength: number): fc.Arbitrary<readonly Slot[]> =>
  fc.array(
    fc.record({
      presence: fc.constantFrom<Presence[]>('seen', 'seen', 'seen', 'seen', 'seen', 'hidden', 'hidden', 'B', 'B', 'A'),
      tape,
      other: tape,
    }),
    { minLength, maxLength, size: 'max' },
  )

const pairSlots = (maxLength: number): fc.Arbitrary<readonly PairSlot[]> =>
  fc.array(
    fc.record({
      near: fc.nat(0xff),
      far: fc.nat(0xff),
      presence: fc.constantFrom<PairSlot['presence'][]>('both', 'B', 'A'),
    }),
    { maxLength, size: 'max' },
  )

/** The choices that two worlds are built from. */
export const planArbitrary: fc.Arbitrary<Plan> = fc.record({
  team: slots(1, 6),
  member: slots(3, 14),
  project: slots(2, 10),
  skill: slots(2, 10),
  note: slots(1, 8),
  remark: slots(1, 6),
  'member-project': pairSlots(16),
  'project-skill': pairSlots(24),
})

/**
 * Each noun has a hidden record of this identity in both worlds. So new identities continue from the same number, and hidden
 * records have a record to reference.
 */
export const lastIdentity = 900

export const names = ['Ann', 'ann', 'Bea', 'Ben', 'Émile', 'A%_n', ''] as const
export const guidOf = (number: number) => `00000000-0000-4000-8000-${`${number}`.padStart(12, '0')}`
export const identityOf = (noun: NounName): string => (noun === 'project' ? 'key' : 'id')

/** Builds both worlds. A record that could point at nothing it must point at is left out. */
export function worldsOf(plan: Plan): Worlds {
  const [A, B] = [new Builder(plan, 'A'), new Builder(plan, 'B')]
  const presenceOf = (noun: NounName, row: Row) =>
    A.presences.get(keyOf(noun, row)) ?? B.presences.get(keyOf(noun, row))
  return {
    A: A.world(),
    B: B.world(),
    isVisible: (noun, row) => presenceOf(noun, row) === 'seen',
    isOnlyIn: (side, noun, row) => presenceOf(noun, row) === side,
  }
}

const keyOf = (noun: NounName, row: Row) => `${noun} ${row[identityOf(noun)]}`

/** The choices of a record. */
interface Choice {
  readonly tape: Tape
  readonly number: number
  readonly isVisible: boolean
}

class Builder {
  readonly presences = new Map<string, Presence>()
  readonly #plan: Plan
  readonly #side: Side
  readonly #rows: Record<NounName, Row[]> = { team: [], member: [], project: [], skill: [], note: [], remark: [] }

  constructor(plan: Plan, side: Side) {
    this.#plan = plan
    this.#side = side
    for (const noun of nounNames) {
      if (noun !== 'remark') this.#add(noun, { presence: 'hidden', tape: [], other: [] }, lastIdentity)
      plan[noun].forEach((slot, at) => {
        // Without a team that is seen there would be little else.
        const isVisible = noun === 'remark' || (noun === 'team' && at === 0)
        this.#add(noun, isVisible ? { ...slot, presence: 'seen' } : slot, at + 1)
      })
    }
  }

  world(): World {
    const pairs = Object.fromEntries(linkNames.map((name) => [name, this.#pairs(name)])) as World['pairs']
    return { rows: this.#rows, pairs }
  }

  #add(noun: NounName, { presence, tape, other }: Slot, number: number): void {
    const isVisible = presence === 'seen'
    const isHere = presence === 'seen' || presence === 'hidden' || presence === this.#side
    if (!isHere) return
    const choice = { tape: new Tape(isVisible || this.#side === 'A' ? tape : other), number, isVisible }
    const row = this.#row(noun, choice)
    if (Object.values(row).includes(undefined as never)) return
    this.#rows[noun].push(row)
    this.presences.set(keyOf(noun, row), presence)
  }

  #row(noun: NounName, { tape, number, isVisible }: Choice): Row {
    const id = number
    const isNobody = tape.oneIn(3)
    // Visible records reference only records that are in both worlds.
    const any = (target: NounName) =>
      this.#pick(tape, target, (presence) => !isVisible || presence === 'seen' || presence === 'hidden')
    const optional = (target: NounName) => (isNobody ? null : (any(target) ?? null))
    const sameSight = (target: NounName) => this.#pick(tape, target, (presence) => (presence === 'seen') === isVisible)
    switch (noun) {
      case 'team':
        return {
          id,
          name: tape.pick(names),
          owner: isVisible ? 'ada' : tape.pick(['bob', 'eve']),
          isOpen: tape.oneIn(2),
        }
      case 'member': {
        const unique = isVisible ? `m${id}` : tape.pick([`m${id}`, `x${id}`])
        const isCaller = !this.#rows.member.some(({ login }) => login === 'ada') && number !== lastIdentity
        return {
          id,
          // The caller's own record is one that is in both worlds, seen or not.
          login: isCaller && this.#isInBoth('member', number) ? 'ada' : unique,
          name: tape.pick(names),
          email: `${unique}@example.com`,
          tenant: isVisible ? 'NORTH' : 'SOUTH',
          grade: tape.pick(['JUNIOR', 'SENIOR', 'LEFT']),
          salary: tape.pick([null, '1.50', '20.00']),
          effort: tape.below(9),
          joined: tape.pick([null, '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']),
          team: any('team') as Value,
          mentor: optional('member'),
          author: optional('member'),
        }
      }
      case 'project': {
        const isSecret = !isVisible && tape.oneIn(2)
        return {
          key: guidOf(number),
          title: tape.pick(names),
          code: `c${isVisible ? number : tape.pick([number, `x${number}`])}`,
          team: (isSecret ? any('team') : sameSight('team')) as Value,
          lead: optional('member'),
          isSecret,
        }
      }
      case 'skill':
        return {
          id,
          team: any('team') as Value,
          name: `S${isVisible ? id : tape.pick([id, `x${id}`])}`,
          level: tape.below(4),
          teacher: isVisible && isNobody ? null : (sameSight('member') as Value),
        }
      case 'note':
        return { id, member: sameSight('member') as Value, words: tape.pick(names), about: optional('project') }
      case 'remark':
        return {
          id,
          member: any('member') as Value,
          skill: optional('skill'),
          note: optional('note'),
          words: tape.pick(names),
        }
    }
  }

  #isInBoth(noun: NounName, number: number): boolean {
    const presence = this.#plan[noun][number - 1]?.presence
    return presence === 'seen' || presence === 'hidden'
  }

  /** The identity of a record that is there already; undefined where none fits. */
  #pick(tape: Tape, noun: NounName, fits: (presence: Presence) => boolean): Value | undefined {
    const all = this.#rows[noun].filter((row) => fits(this.presences.get(keyOf(noun, row)) as Presence))
    // The highest identity only if there is no other.
    const others = all.filter((row) => row[identityOf(noun)] !== lastIdentity && row.key !== guidOf(lastIdentity))
    return tape.pick(others.length > 0 ? others : all)?.[identityOf(noun)]
  }

  #pairs(name: LinkName): readonly (readonly [Value, Value])[] {
    const [near, far] = name.split('-') as [NounName, NounName]
    const pairs = new Map<string, readonly [Value, Value]>()
    for (const slot of this.#plan[name]) {
      const left = this.#at(near, slot.near)
      const right = left && (this.#alike(name, far, left, slot.far) ?? this.#at(far, slot.far))
      const isShared = name === 'member-project' || left?.team === right?.team
      if (!left || !right || !isShared) continue
      const areVisible = [keyOf(near, left), keyOf(far, right)].every((key) => this.presences.get(key) === 'seen')
      if (!areVisible && slot.presence !== 'both' && slot.presence !== this.#side) continue
      const pair = [left[identityOf(near)] as Value, right[identityOf(far)] as Value] as const
      pairs.set(pair.join(), pair)
    }
    return [...pairs.values()]
  }

  /** For every second pair of a record that is seen: another such that it may be linked with, the same in both worlds. */
  #alike(name: LinkName, far: NounName, left: Row, position: number): Row | undefined {
    const isVisible = (noun: NounName, row: Row) => this.presences.get(keyOf(noun, row)) === 'seen'
    if (position % 2 === 1 || !isVisible(name.split('-')[0] as NounName, left)) return undefined
    const fitting = this.#rows[far].filter(
      (row) => isVisible(far, row) && (far === 'project' || row.team === left.team),
    )
    return fitting[Math.floor(position / 2) % Math.max(1, fitting.length)]
  }

  /** The record of a position, which is the same in both worlds. */
  #at(noun: NounName, position: number): Row | undefined {
    const number = 1 + (position % Math.max(1, this.#plan[noun].length))
    const identity = noun === 'project' ? guidOf(number) : number
    return this.#rows[noun].find((row) => row[identityOf(noun)] === identity)
  }
}

/** A world as the sample of a service. */
export function sampleOf({ rows, pairs }: World): readonly LoadPart[] {
  return [
    ...nounNames.map((noun) => ({ noun, rows: rows[noun] })),
    ...linkNames.map((name) => ({ link: name.split('-') as [string, string], rows: pairs[name] })),
  ]
}

/** Both worlds as text: visible records once, hidden records for each world. */
export function describeWorlds(worlds: Worlds): string {
  const line = (noun: NounName, row: Row) => `  ${noun} ${JSON.stringify(row)}`
  const rowsOf = (side: Side, isVisible: boolean) =>
    nounNames.flatMap((noun) =>
      worlds[side].rows[noun].filter((row) => worlds.isVisible(noun, row) === isVisible).map((row) => line(noun, row)),
    )
  const pairsOf = (side: Side) =>
    linkNames.flatMap((name) => worlds[side].pairs[name].map((pair) => `  ${name} ${pair.join(' ')}`))
  return [
    'Seen in both worlds:',
    ...rowsOf('A', true),
    ...(['A', 'B'] as const).flatMap((side) => [`Hidden in world ${side}:`, ...rowsOf(side, false)]),
    ...(['A', 'B'] as const).flatMap((side) => [`Linked in world ${side}:`, ...pairsOf(side)]),
  ].join('\n')
}
