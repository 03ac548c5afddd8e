/** Records as JSON strings, in the shape that an operation shows. */
import type { AnyNoun, Property, Shape } from '@nomen/core'
import type { RowFilter } from '../plan.ts'
import type { Dialect } from './dialect.ts'
import { visibleWhere } from './filter.ts'
import { all, column, table } from './fragment.ts'
import { type Sql, sql } from './sql.ts'

/** The alias of the table, and what the caller may read of referenced records. */
interface JsonOptions {
  readonly alias?: string | undefined
  readonly rowFilter?: RowFilter | undefined
  /** Nouns whose labels the caller may not read. */
  readonly unlabelled?: readonly string[] | undefined
}

/** The record of table `t` in a shape. */
export function recordJson(dialect: Dialect, shape: Shape, { alias = 't', ...options }: JsonOptions = {}): Sql {
  return dialect.object(
    shape.properties.map((property) => ({
      name: property.name,
      value: shownValue(dialect, shape.noun, property, { alias, ...options }),
    })),
  )
}

/** If the caller cannot see the referenced record, its identity is shown instead of its label. */
function shownValue(dialect: Dialect, noun: AnyNoun, { field, spec, label }: Property, options: JsonOptions): Sql {
  const { alias, rowFilter, unlabelled } = options
  if (!label) return dialect.wireForm(spec, column(noun, field, alias))
  if (unlabelled?.includes(label.noun.name)) return dialect.text(column(noun, field, alias))
  const labelColumns = label.fields.map((name) => column(label.noun, name, 'label'))
  const text = labelColumns.length === 1 ? (labelColumns[0] as Sql) : dialect.joined(labelColumns)
  const key = column(label.noun, label.noun.identity, 'label')
  const isVisible = visibleWhere(dialect, rowFilter, label.noun, 'label')
  const labelText =
    isVisible.length === 0
      ? text
      : sql`case when ${all(isVisible)} then ${dialect.text(text)} else ${dialect.text(key)} end`
  return sql`(select ${labelText} from ${table(label.noun)} as label where ${key} = ${column(noun, field, alias)})`
}
