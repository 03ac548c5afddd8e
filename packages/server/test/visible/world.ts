/** The records of a service in plain lists, and a simple model of requests, without SQL or filters. */
import {
  type AnyLink,
  type AnyNoun,
  type Operation,
  type Property,
  type Relation,
  type Step,
  specOf,
  targetOf,
  type Value,
} from '@nomen/core'
import type { LoadPart } from '@nomen/server'

export type Row = Readonly<Record<string, Value>>

/** Whether the caller sees a record of a noun. */
export type Eye = (noun: string, row: Row) => boolean

export class World {
  readonly #nouns = new Map<string, AnyNoun>()
  readonly #links = new Set<AnyLink>()
  readonly #rows = new Map<string, Map<Value, Row>>()
  readonly #pairs = new Map<string, readonly (readonly [Value, Value])[]>()

  constructor(operations: readonly Operation[], parts: Iterable<LoadPart>) {
    for (const { shape, levels } of operations) {
      this.#nouns.set(shape.noun.name, shape.noun)
      for (const { steps } of levels.flatMap(({ relations }) => relations))
        for (const step of steps) if (step.kind === 'link') this.#links.add(step.link)
    }
    for (const part of parts) {
      if ('link' in part) this.#pairs.set(part.link.join('-'), [...part.rows])
      else for (const row of part.rows) this.put(part.noun, row as Row)
    }
  }

  rows(noun: string): readonly Row[] {
    return [...(this.#rows.get(noun)?.values() ?? [])].sort(
      (a, b) => Number(a[this.#identity(noun)]) - Number(b[this.#identity(noun)]),
    )
  }

  row(noun: string, key: Value): Row | undefined {
    return this.#rows.get(noun)?.get(key)
  }

  put(noun: string, row: Row): void {
    const rows = this.#rows.get(noun) ?? new Map<Value, Row>()
    this.#rows.set(noun, rows.set(row[this.#identity(noun)] as Value, row))
  }

  link(name: string, pair: readonly [Value, Value], isLinked: boolean): void {
    const others = (this.#pairs.get(name) ?? []).filter((other) => other.join() !== pair.join())
    this.#pairs.set(name, isLinked ? [...others, pair] : others)
  }

  pairs(link: string): readonly (readonly [Value, Value])[] {
    return this.#pairs.get(link) ?? []
  }

  noun(name: string): AnyNoun {
    return this.#nouns.get(name) as AnyNoun
  }

  links(): readonly AnyLink[] {
    return [...this.#links]
  }

  nouns(): readonly AnyNoun[] {
    return [...this.#nouns.values()]
  }

  /** Takes a record away, with what belongs to it and what leads to it. */
  remove(name: string, key: Value): void {
    this.#rows.get(name)?.delete(key)
    for (const [link, pairs] of this.#pairs) {
      const side = link.split('-').indexOf(name)
      if (side !== -1)
        this.#pairs.set(
          link,
          pairs.filter((pair) => pair[side] !== key),
        )
    }
    for (const { noun, field, row, isCleared } of this.#pointing(name, key)) {
      const identity = row[this.#identity(noun)] as Value
      // One record may point at it more than once.
      if (isCleared) this.put(noun, { ...this.row(noun, identity), [field]: null })
      else this.remove(noun, identity)
    }
  }

  /** The records that would keep a record from being deleted. A preference goes with its user. */
  inTheWay(name: string, key: Value): readonly { readonly noun: string; readonly row: Row }[] {
    return this.#pointing(name, key).filter(({ noun, isCleared }) => !isCleared && noun !== 'preference')
  }

  #pointing(name: string, key: Value) {
    return [...this.#nouns].flatMap(([noun, { fields }]) =>
      Object.keys(fields).flatMap((field) => {
        const { kind, clearedOnDelete } = fields[field].spec
        if (kind !== 'reference' || targetOf(this.#nouns.get(noun) as AnyNoun, field).name !== name) return []
        const rows = this.rows(noun).filter((row) => row[field] === key)
        return rows.map((row) => ({ noun, field, row, isCleared: clearedOnDelete === true }))
      }),
    )
  }

  /** Whether a record is below those of the path, through visible records. */
  isBelow(eye: Eye, relations: readonly Relation[], row: Row, ancestors: readonly Value[]): boolean {
    return relations.every(({ level, steps }) => {
      let reached: readonly Row[] = [row]
      steps.forEach((step, index) => {
        const visible = index === 0 ? reached : reached.filter((row) => eye(step.from.name, row))
        const keys = visible.flatMap((row) => this.#across(step, row))
        reached = keys.map((key) => this.row(step.to.name, key)).filter((row) => row !== undefined)
      })
      return reached.some((row) => row[steps.at(-1)?.to.identity ?? ''] === ancestors[level])
    })
  }

  /** The identities that one step leads to. */
  #across(step: Step, row: Row): readonly Value[] {
    if (step.kind === 'reference') return [row[step.field] ?? null]
    const side = step.link.nouns[0].name === step.from.name ? 0 : 1
    const pairs = (this.#pairs.get(step.link.name) ?? []).filter((pair) => pair[side] === row[step.from.identity])
    return pairs.map((pair) => pair[1 - side] as Value)
  }

  /** The first level of a path at which nothing is seen; undefined where all of it is there. */
  missing(eye: Eye, { levels }: Operation, keys: readonly Value[]): number | undefined {
    const level = keys.findIndex((key, at) => {
      const { resource, relations } = levels[at] as Operation['levels'][number]
      const row = this.row(resource.noun.name, key)
      return !row || !eye(resource.noun.name, row) || !this.isBelow(eye, relations, row, keys)
    })
    return level === -1 ? undefined : level
  }

  /** A record as an operation shows it, what the service notes of writes left out. */
  shown(eye: Eye, row: Row, properties: readonly Property[]): Record<string, Value> {
    const compared = properties.filter(({ spec }) => spec.managed === undefined || spec.managed === 'identity')
    return Object.fromEntries(compared.map((property) => [property.name, this.#value(eye, row, property)]))
  }

  #value(eye: Eye, row: Row, { field, label }: Property): Value {
    const value = row[field] ?? null
    const target = label && value !== null ? this.row(label.noun.name, value) : undefined
    if (!label || !target) return value
    return eye(label.noun.name, target) ? label.fields.map((name) => target[name]).join(' ') : `${value}`
  }

  /** Whether a record may point at what it points at: everything new is seen. */
  isPointingAtVisible(eye: Eye, name: string, next: Row, previous?: Row): boolean {
    const noun = this.#nouns.get(name) as AnyNoun
    return Object.keys(noun.fields).every((field) => {
      const { kind, managed } = specOf(noun, field)
      const value = next[field] ?? null
      if (kind !== 'reference' || managed !== undefined || value === null || previous?.[field] === value) return true
      const target = targetOf(noun, field).name
      const row = this.row(target, value)
      return row !== undefined && eye(target, row)
    })
  }

  #identity(noun: string): string {
    return this.#nouns.get(noun)?.identity ?? 'id'
  }
}
