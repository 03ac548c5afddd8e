/** The foreign keys of a schema. They may be deferred, so that a bulk load need not sort its records. */
import type { Schema } from '../schema.ts'
import { quoted } from './postgres-name.ts'

export interface ForeignKey {
  readonly name: string
  readonly table: string
  readonly column: string
  readonly target: string
}

export function foreignKeysOf({ nouns, links }: Schema): readonly ForeignKey[] {
  return [
    ...nouns.flatMap(({ name, fields }) =>
      fields.flatMap((field) => (field.target === undefined ? [] : [foreignKey(name, field.name, field.target)])),
    ),
    ...links.flatMap((link) => link.nouns.map((noun) => foreignKey(link.name, noun, noun))),
  ]
}

function foreignKey(table: string, column: string, target: string): ForeignKey {
  return { name: `${table}_${column}_reference`, table, column, target }
}

export function addForeignKey({ name, table, column, target }: ForeignKey): string {
  const key = `foreign key (${quoted(column)}) references ${quoted(target)} deferrable initially immediate`
  return `alter table ${quoted(table)} add constraint ${quoted(name)} ${key}`
}
