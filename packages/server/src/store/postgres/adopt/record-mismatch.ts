/** Whether the records of an existing table match its declaration. */
import type { ClientBase } from 'pg'
import { declaredName, type FieldSchema, type NounSchema } from '../../migrate/schema/schema.ts'
import { stringLiteral } from '../../sql/sql.ts'
import { identifier } from '../name.ts'
import type { CatalogTable } from './catalog.ts'

const guidForm = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'

/** One sentence for each field with invalid values, with their number and an example. */
export async function recordMismatches(
  client: ClientBase,
  noun: NounSchema,
  table: CatalogTable,
): Promise<readonly string[]> {
  const checks = noun.fields.flatMap((field) => {
    const mismatch = valueMismatch(field, table)
    return mismatch ? [{ field, ...mismatch }] : []
  })
  if (checks.length === 0) return []
  const counts = checks.map(({ condition }) => `count(*) filter (where ${condition})`)
  const examples = checks.map(
    ({ field, condition }) => `min(${identifier(field.name)}::text) filter (where ${condition})`,
  )
  const text = `select ${[...counts, ...examples].join(', ')} from ${identifier(noun.name)}`
  const { rows } = await client.query({ text, rowMode: 'array' })
  const [values = []] = rows
  return checks.flatMap(({ field, fault }, index) => {
    const count = Number(values[index])
    if (count === 0) return []
    const example = JSON.stringify(values[checks.length + index])
    const subject = count === 1 ? '1 record has' : `${count} records have`
    return [`field "${declaredName(field)}" of "${declaredName(noun)}": ${subject} ${fault}, such as ${example}.`]
  })
}

/** Values that the column can have and the field cannot. */
function valueMismatch(
  field: FieldSchema,
  { columns }: CatalogTable,
): { condition: string; fault: string } | undefined {
  const column = identifier(field.name)
  const { type, choices: labels } = columns.find(({ name }) => name === field.name) ?? {}
  const { choices = [], kind, guid } = field
  switch (kind) {
    case 'identity':
      return guid
        ? undefined
        : {
            condition: `${column} not between 1 and ${Number.MAX_SAFE_INTEGER}`,
            fault: 'a number below 1 or beyond 2^53',
          }
    case 'integer':
      return type === 'int8'
        ? { condition: `abs(${column}::numeric) > ${Number.MAX_SAFE_INTEGER}`, fault: 'a number beyond 2^53' }
        : undefined
    case 'number':
      return { condition: `${column} in ('NaN', 'Infinity', '-Infinity')`, fault: 'a value that is not a number' }
    case 'decimal':
      return { condition: `${column} = 'NaN'`, fault: 'a value that is not a number' }
    case 'date':
    case 'timestamp':
      return {
        condition: `${column} not between '0001-01-01' and '9999-12-31'`,
        fault: 'a date outside the years 1 to 9999',
      }
    case 'choice': {
      if (labels?.every((label) => choices.includes(label))) return undefined
      const list = choices.map(stringLiteral).join(', ')
      return { condition: `${column}::text not in (${list})`, fault: 'a value that is not one of its choices' }
    }
    case 'guid':
      return type === 'uuid'
        ? undefined
        : { condition: `${column} !~ '${guidForm}'`, fault: 'a value that is not a lower-case guid' }
    default:
      return undefined
  }
}
