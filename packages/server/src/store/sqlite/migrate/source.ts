/** Where each column of a changed table takes its values from: an expression over the table as it was. */

import { fold } from '../../fold.ts'
import { type FieldSource, fieldSources } from '../../migrate/field-source.ts'
import type { NounSchema } from '../../migrate/schema.ts'
import { quotedName } from '../../sql/sql.ts'
import { carried, defaultLiteral } from './expression.ts'
import { type Column, columnsOf } from './table.ts'

interface Source {
  /** Over the columns of the table as it was. */
  readonly expression: string
  /** The column that is kept as it is, save its name and constraints. */
  readonly origin?: string
  /** Whether the expression is a literal. */
  readonly isLiteral?: true
}

export type ColumnSource = Column & Source

const nothing: Source = { expression: 'NULL', isLiteral: true }

/** The source of every column of the new table. */
export function columnSources(before: NounSchema, after: NounSchema): readonly ColumnSource[] {
  const sources = new Map([...fieldSources(before, after)].map(([name, source]) => [name, sourceOf(source)]))
  return columnsOf(after).map((column) => {
    const source = sources.get(column.name)
    if (source) return { ...column, ...source }
    if (column.name === '_version') return { ...column, expression: quotedName('_version'), origin: '_version' }
    return { ...column, ...foldedSource(sources.get(column.name.replace(/_folded$/, '')) ?? nothing, before) }
  })
}

function sourceOf(source: FieldSource): Source {
  if (source.kind === 'nothing') return nothing
  if (source.kind === 'default') return { expression: defaultLiteral(source.of), isLiteral: true }
  const { name } = source.path[0]
  const expression = carried(source.path, quotedName(name))
  const isKept = source.path.length === 2 && expression === quotedName(name)
  return { expression, ...(isKept && { origin: name }) }
}

/** The folded text is kept where the text is. */
function foldedSource({ expression, origin, isLiteral }: Source, before: NounSchema): Source {
  if (isLiteral) return { expression: expression === 'NULL' ? expression : fold(expression), isLiteral }
  if (origin === undefined || !before.searched.includes(origin)) return { expression: `fold(${expression})` }
  return { expression: quotedName(`${origin}_folded`), origin: `${origin}_folded` }
}
