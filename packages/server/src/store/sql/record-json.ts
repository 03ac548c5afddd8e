/** Records as JSON text, in the shape that an operation shows. */
import type { AnyNoun, Property, Shape } from '@nomen/core'
import type { RowFilter } from '../plan.ts'
import type { Dialect } from './dialect.ts'
import { visibleWhere } from './filter.ts'
import { all, column, table } from './fragment.ts'
import { type Sql, sql } from './sql.ts'

/** What the query calls the table, and what the caller may read of the records that it points at. */
interface Showing {
  readonly alias?: string | undefined
  readonly rowFilter?: RowFilter | undefined
  /** Nouns whose labels the caller may not read. */
  readonly unlabelled?: readonly string[] | undefined
}

/** The record of table `t` in a shape. */
export function recordJson(dialect: Dialect, shape: Shape, { alias = 't', ...showing }: Showing = {}): Sql {
  return dialect.object(
    shape.properties.map((property) => ({
      name: property.name,
      value: shownValue(dialect, shape.noun, property, { alias, ...showing }),
    })),
  )
}

/** Of a record that the caller does not see, the identity is shown, which the record that points at it holds itself. */
function shownValue(dialect: Dialect, noun: AnyNoun, { field, spec, label }: Property, showing: Showing): Sql {
  const { alias, rowFilter, unlabelled } = showing
  if (!label) return dialect.wire(spec, column(noun, field, alias))
  if (unlabelled?.includes(label.noun.name)) return dialect.text(column(noun, field, alias))
  const parts = label.fields.map((name) => column(label.noun, name, 'label'))
  const text = parts.length === 1 ? (parts[0] as Sql) : dialect.joined(parts)
  const key = column(label.noun, label.noun.identity, 'label')
  const isSeen = visibleWhere(dialect, rowFilter, label.noun, 'label')
  const shown =
    isSeen.length === 0 ? text : sql`case when ${all(isSeen)} then ${dialect.text(text)} else ${dialect.text(key)} end`
  return sql`(select ${shown} from ${table(label.noun)} as label where ${key} = ${column(noun, field, alias)})`
}
