/** Where each column of a changed table takes its values from: an expression over the table as it was. */
import { formOf } from '../convert.ts'
import { fold } from '../fold.ts'
import { keptFields } from '../kept-field.ts'
import { type FieldSchema, fieldOf, type NounSchema } from '../schema.ts'
import { converted, defaultLiteral } from './sqlite-expression.ts'
import { columnsOf, quoted } from './sqlite-table.ts'

export interface Source {
  /** Over the columns of the table as it was. */
  readonly expression: string
  /** The column that is kept as it is, save its name and constraints. */
  readonly origin?: string
  /** The field of the table as it was that the values come from, and the forms that they are carried through. */
  readonly path?: readonly [FieldSchema, ...FieldSchema[]]
  /** Whether the expression is a literal. */
  readonly isLiteral?: true
}

export interface ColumnSource extends Source {
  readonly name: string
  readonly form: string
}

const nothing: Source = { expression: 'NULL', isLiteral: true }

/** The source of every column of the new table. */
export function columnSources(before: NounSchema, after: NounSchema): readonly ColumnSource[] {
  const sources = fieldSources(before, after)
  return columnsOf(after).map((column) => {
    const source = sources.get(column.name)
    if (source) return { ...column, ...source }
    if (column.name === '_version') return { ...column, expression: quoted('_version'), origin: '_version' }
    return { ...column, ...foldedSource(sources.get(column.name.replace('_folded', '')) ?? nothing, before) }
  })
}

/** The source of every field: what it was before, else its default, else null. */
export function fieldSources(before: NounSchema, after: NounSchema): ReadonlyMap<string, Source> {
  const kept = keptFields(before, after)
  return new Map(after.fields.map((field) => [field.name, sourceOf(field, before, after, kept)]))
}

function sourceOf(
  field: FieldSchema,
  before: NounSchema,
  after: NounSchema,
  kept: ReadonlyMap<string, string>,
): Source {
  const from = kept.get(field.name)
  if (from !== undefined) {
    const old = fieldOf(before, from)
    const expression = converted(old, field, quoted(from))
    return { expression, path: [old, field], ...(expression === quoted(from) && { origin: from }) }
  }
  if (field.default !== undefined) return { expression: defaultLiteral(field), isLiteral: true }
  if (field.defaultFrom === undefined) return nothing
  const other = fieldOf(after, field.defaultFrom)
  const { expression, path } = sourceOf(other, before, after, kept)
  if (path) return { expression: converted(other, field, expression), path: [...path, field] }
  return formOf(other) === formOf(field) ? { expression, isLiteral: true } : nothing
}

/** The folded text is kept where the text is. */
function foldedSource({ expression, origin, isLiteral }: Source, before: NounSchema): Source {
  if (isLiteral) return { expression: expression === 'NULL' ? expression : fold(expression), isLiteral }
  if (origin === undefined || !before.searched.includes(origin)) return { expression: `fold(${expression})` }
  return { expression: quoted(`${origin}_folded`), origin: `${origin}_folded` }
}
