/** The foreign keys of a schema and their changes. They are deferrable, so that a bulk load need not sort its rows. */
import { previousFieldNames } from '../../../migrate/change/field-renames.ts'
import type { TableChange } from '../../../migrate/change/table.ts'
import { pairColumns, type Schema } from '../../../migrate/schema/schema.ts'
import { identifier } from '../../name.ts'
import { hasNewIdentity } from './alter.ts'
import { orderRenames } from './rename.ts'

interface ForeignKey {
  readonly name: string
  readonly table: string
  readonly column: string
  readonly target: string
}

/** A statement and the index of its step. */
interface StepStatement {
  readonly step: number
  readonly sql: string
  /** A constraint that is validated after the locks are released. */
  readonly unvalidated?: ForeignKey
}

/** Constraints that are dropped at the beginning of a step, and added at the end of one. */
export interface ReferenceChanges {
  readonly atStart: readonly StepStatement[]
  readonly atEnd: readonly StepStatement[]
}

/**
 * Each table changes in one step. A foreign key is dropped in the earlier step of its two tables, and added in the
 * later one.
 */
export function referenceChanges(
  before: Schema,
  after: Schema,
  steps: readonly TableChange[],
  isOnline: boolean,
): ReferenceChanges {
  const isUnvalidated = ({ table }: ForeignKey) => isOnline && before.nouns.some(({ name }) => name === table)
  const position = (table: string) => steps.findIndex((step) => step.table === table)
  const tables = keptTables(before, after, steps)
  const keys = foreignKeysOf(before)
  const keptKeys = keys.flatMap((key) => {
    const newKey = tables.keyAfter(key)
    return newKey ? [{ key, newKey }] : []
  })
  const lostKeys = keys.filter((key) => !keptKeys.some((pair) => pair.key === key))
  const addedKeys = foreignKeysOf(after).filter(({ name }) => !keptKeys.some(({ newKey }) => newKey.name === name))
  const renames = orderRenames(keptKeys.map(({ key, newKey }) => [key.name, newKey.name] as const))
  const tableOf = new Map(keptKeys.map(({ key }) => [key.name, key.table]))
  const first = lostKeys.filter((key) => {
    const isBefore = position(key.table) <= position(key.target)
    return !(tables.isDroppedWithColumn(key) && (isBefore || !tables.isLost(key.target)))
  })
  return {
    atStart: first.map(({ name, table, target }) => {
      const changedSteps = [position(table), position(target)].filter((step) => step >= 0)
      return {
        step: Math.min(...changedSteps),
        sql: `alter table ${identifier(table)} drop constraint ${identifier(name)}`,
      }
    }),
    atEnd: [
      ...renames.map(([from, to]) => {
        const table = tableOf.get(from) ?? ''
        const sql = `alter table ${identifier(table)} rename constraint ${identifier(from)} to ${identifier(to)}`
        return { step: position(table), sql }
      }),
      ...addedKeys.map((key) => ({
        step: Math.max(position(key.table), position(key.target)),
        sql: `${addForeignKey(key)}${isUnvalidated(key) ? ' not valid' : ''}`,
        ...(isUnvalidated(key) && { unvalidated: key }),
      })),
    ],
  }
}

/** Foreign keys of adopted tables are left unchanged. */
function foreignKeysOf({ nouns, links }: Schema): readonly ForeignKey[] {
  const isNotAdopted = ({ adopted }: { readonly adopted?: true }) => !adopted
  return [
    ...nouns
      .filter(isNotAdopted)
      .flatMap(({ name, fields }) =>
        fields.flatMap((field) => (field.target === undefined ? [] : [foreignKey(name, field.name, field.target)])),
      ),
    ...links
      .filter(isNotAdopted)
      .flatMap((link) =>
        link.nouns.map((noun, index) => foreignKey(link.name, pairColumns(link)[index] ?? noun, noun)),
      ),
  ]
}

function foreignKey(table: string, column: string, target: string): ForeignKey {
  return { name: `${table}_${column}_reference`, table, column, target }
}

function addForeignKey({ name, table, column, target }: ForeignKey): string {
  const key = `foreign key (${identifier(column)}) references ${identifier(target)} deferrable initially immediate`
  return `alter table ${identifier(table)} add constraint ${identifier(name)} ${key}`
}

/** The tables and columns of the old schema that are kept, and their new names. */
function keptTables(before: Schema, after: Schema, steps: readonly TableChange[]) {
  const links = before.links.filter(({ name }) => {
    const isRetyped = steps.some(
      ({ table, changes }) => table === name && changes.some((change) => change.kind === 'retype-link'),
    )
    return !isRetyped && after.links.some((link) => link.name === name)
  })
  const nouns = new Map(
    before.nouns.flatMap((noun) => {
      const newNoun = after.nouns.find(({ name }) => name === noun.name)
      if (!newNoun) return []
      const names = new Map([...previousFieldNames(noun, newNoun)].map(([to, from]) => [from, to]))
      return [[noun.name, { names, isRebuilt: hasNewIdentity(noun, newNoun) }]]
    }),
  )
  const keys = foreignKeysOf(after)
  const isLost = (noun: string) => nouns.get(noun)?.isRebuilt !== false
  const columnAfter = ({ table, column }: ForeignKey) =>
    links.some(({ name }) => name === table) ? column : nouns.get(table)?.names.get(column)
  return {
    /** Whether a noun's table is dropped or rebuilt. */
    isLost,
    /** Whether the key is dropped together with its column or table. */
    isDroppedWithColumn: (key: ForeignKey) => columnAfter(key) === undefined && !nouns.get(key.table)?.isRebuilt,
    /** The same key in the new schema; undefined if it must be added again. */
    keyAfter: (key: ForeignKey) => {
      const column = columnAfter(key)
      if (column === undefined || isLost(key.target) || nouns.get(key.table)?.isRebuilt) return undefined
      return keys.find(
        (newKey) => newKey.table === key.table && newKey.target === key.target && newKey.column === column,
      )
    },
  }
}
