/** Whether the records of a table that was there before are what its declaration says. */
import type { ClientBase } from 'pg'
import { declaredName, type FieldSchema, type NounSchema } from '../../migrate/schema.ts'
import { textLiteral } from '../../sql/sql.ts'
import { identifier } from '../name.ts'
import type { CatalogTable } from './catalog.ts'

const guidForm = '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'

/** One sentence for each field that some record has another value in, with the number of these and an example. */
export async function recordMisfits(
  client: ClientBase,
  noun: NounSchema,
  table: CatalogTable,
): Promise<readonly string[]> {
  const questions = noun.fields.flatMap((field) => {
    const misfit = valueMisfit(field, table)
    return misfit ? [{ field, ...misfit }] : []
  })
  if (questions.length === 0) return []
  const counts = questions.map(({ condition }) => `count(*) filter (where ${condition})`)
  const examples = questions.map(
    ({ field, condition }) => `min(${identifier(field.name)}::text) filter (where ${condition})`,
  )
  const text = `select ${[...counts, ...examples].join(', ')} from ${identifier(noun.name)}`
  const { rows } = await client.query({ text, rowMode: 'array' })
  const [found = []] = rows
  return questions.flatMap(({ field, what }, at) => {
    const count = Number(found[at])
    if (count === 0) return []
    const example = JSON.stringify(found[questions.length + at])
    const held = count === 1 ? '1 record holds' : `${count} records hold`
    return [`field "${declaredName(field)}" of "${declaredName(noun)}": ${held} ${what}, such as ${example}.`]
  })
}

/** Values that the column may hold and the field may not. */
function valueMisfit(field: FieldSchema, { columns }: CatalogTable): { condition: string; what: string } | undefined {
  const column = identifier(field.name)
  const { type, choices: labels } = columns.find(({ name }) => name === field.name) ?? {}
  const { choices = [], kind, guid } = field
  switch (kind) {
    case 'identity':
      return guid
        ? undefined
        : {
            condition: `${column} not between 1 and ${Number.MAX_SAFE_INTEGER}`,
            what: 'a number below 1 or beyond 2^53',
          }
    case 'integer':
      return type === 'int8'
        ? { condition: `abs(${column}::numeric) > ${Number.MAX_SAFE_INTEGER}`, what: 'a number beyond 2^53' }
        : undefined
    case 'number':
      return { condition: `${column} in ('NaN', 'Infinity', '-Infinity')`, what: 'no number' }
    case 'decimal':
      return { condition: `${column} = 'NaN'`, what: 'no number' }
    case 'date':
    case 'timestamp':
      return {
        condition: `${column} not between '0001-01-01' and '9999-12-31'`,
        what: 'a day outside of the years 1 to 9999',
      }
    case 'choice': {
      if (labels?.every((label) => choices.includes(label))) return undefined
      const list = choices.map(textLiteral).join(', ')
      return { condition: `${column}::text not in (${list})`, what: 'none of its choices' }
    }
    case 'guid':
      return type === 'uuid' ? undefined : { condition: `${column} !~ '${guidForm}'`, what: 'no guid in lower case' }
    default:
      return undefined
  }
}
