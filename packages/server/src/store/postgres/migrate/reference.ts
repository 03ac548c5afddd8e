/** The foreign keys of a schema, and how they change. They may be deferred, so that a bulk load need not sort. */
import { keptFieldNames } from '../../migrate/field-renames.ts'
import { pairColumns, type Schema } from '../../migrate/schema.ts'
import type { TableChange } from '../../migrate/table-change.ts'
import { identifier } from '../name.ts'
import { isIdentifiedAnew } from './alter.ts'
import { inOrder } from './rename.ts'

interface ForeignKey {
  readonly name: string
  readonly table: string
  readonly column: string
  readonly target: string
}

/** A statement and the step it belongs to. */
interface Placed {
  readonly at: number
  readonly sql: string
}

/** What is let go at the beginning of a step, and what is tied at the end of one. */
export interface ReferenceChanges {
  readonly first: readonly Placed[]
  readonly last: readonly Placed[]
}

/**
 * Each table that changes does so in a step. A key is let go in the earlier step of its two tables, and tied in the
 * later one.
 */
export function referenceChanges(before: Schema, after: Schema, steps: readonly TableChange[]): ReferenceChanges {
  const position = (table: string) => steps.findIndex((step) => step.table === table)
  const fate = fates(before, after, steps)
  const keys = foreignKeysOf(before)
  const kept = keys.flatMap((key) => {
    const now = fate.keyAfter(key)
    return now ? [{ key, now }] : []
  })
  const lost = keys.filter((key) => !kept.some((one) => one.key === key))
  const tied = foreignKeysOf(after).filter(({ name }) => !kept.some(({ now }) => now.name === name))
  const renames = inOrder(kept.map(({ key, now }) => [key.name, now.name] as const))
  const tableOf = new Map(kept.map(({ key }) => [key.name, key.table]))
  const first = lost.filter((key) => {
    const isBefore = position(key.table) <= position(key.target)
    return !(fate.goesAlong(key) && (isBefore || !fate.isLost(key.target)))
  })
  return {
    first: first.map(({ name, table, target }) => {
      const changing = [position(table), position(target)].filter((at) => at >= 0)
      return { at: Math.min(...changing), sql: `alter table ${identifier(table)} drop constraint ${identifier(name)}` }
    }),
    last: [
      ...renames.map(([from, to]) => {
        const table = tableOf.get(from) ?? ''
        const sql = `alter table ${identifier(table)} rename constraint ${identifier(from)} to ${identifier(to)}`
        return { at: position(table), sql }
      }),
      ...tied.map((key) => ({ at: Math.max(position(key.table), position(key.target)), sql: addForeignKey(key) })),
    ],
  }
}

/** Those of tables that were there before are left as they are. */
function foreignKeysOf({ nouns, links }: Schema): readonly ForeignKey[] {
  const isOwn = ({ adopted }: { readonly adopted?: true }) => !adopted
  return [
    ...nouns
      .filter(isOwn)
      .flatMap(({ name, fields }) =>
        fields.flatMap((field) => (field.target === undefined ? [] : [foreignKey(name, field.name, field.target)])),
      ),
    ...links
      .filter(isOwn)
      .flatMap((link) => link.nouns.map((noun, at) => foreignKey(link.name, pairColumns(link)[at] ?? noun, noun))),
  ]
}

function foreignKey(table: string, column: string, target: string): ForeignKey {
  return { name: `${table}_${column}_reference`, table, column, target }
}

function addForeignKey({ name, table, column, target }: ForeignKey): string {
  const key = `foreign key (${identifier(column)}) references ${identifier(target)} deferrable initially immediate`
  return `alter table ${identifier(table)} add constraint ${identifier(name)} ${key}`
}

/** What becomes of the tables and columns of the schema as it was. */
function fates(before: Schema, after: Schema, steps: readonly TableChange[]) {
  const links = before.links.filter(({ name }) => {
    const isRetyped = steps.some(
      ({ table, changes }) => table === name && changes.some((one) => one.kind === 'retype-link'),
    )
    return !isRetyped && after.links.some((link) => link.name === name)
  })
  const nouns = new Map(
    before.nouns.flatMap((noun) => {
      const now = after.nouns.find(({ name }) => name === noun.name)
      if (!now) return []
      const names = new Map([...keptFieldNames(noun, now)].map(([to, from]) => [from, to]))
      return [[noun.name, { names, isRebuilt: isIdentifiedAnew(noun, now) }]]
    }),
  )
  const keys = foreignKeysOf(after)
  const isLost = (noun: string) => nouns.get(noun)?.isRebuilt !== false
  const columnAfter = ({ table, column }: ForeignKey) =>
    links.some(({ name }) => name === table) ? column : nouns.get(table)?.names.get(column)
  return {
    /** Whether a noun's table is dropped or built anew. */
    isLost,
    /** Whether the column or its table is dropped, and the key with it. */
    goesAlong: (key: ForeignKey) => columnAfter(key) === undefined && !nouns.get(key.table)?.isRebuilt,
    /** The same key in the new schema; undefined where it has to be tied anew. */
    keyAfter: (key: ForeignKey) => {
      const column = columnAfter(key)
      if (column === undefined || isLost(key.target) || nouns.get(key.table)?.isRebuilt) return undefined
      return keys.find((now) => now.table === key.table && now.target === key.target && now.column === column)
    },
  }
}
