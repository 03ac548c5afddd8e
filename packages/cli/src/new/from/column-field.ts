/** A column of a database as a field. */
import { readValue, type Value } from '@nomen/core'
import type { CatalogCheck, CatalogColumn } from '@nomen/server/admin'
import { choicesIn, limitIn } from './check-condition.ts'
import { type Call, call, type FieldPlan, planField, type Target } from './field-plan.ts'

export interface ColumnPlace {
  readonly column: CatalogColumn
  /** Conditions on this column alone. */
  readonly checks: readonly CatalogCheck[]
  readonly target?: Target | undefined
  /** Whether the reference is cleared when its record is deleted. */
  readonly isCleared?: boolean
  readonly isUnique: boolean
}

export interface ColumnField {
  readonly plan: FieldPlan
  /** What the declaration does not say. */
  readonly notes: readonly string[]
}

/** The field, or in words why there is none. */
export function columnField({ column, checks, target, isCleared, isUnique }: ColumnPlace): ColumnField | string {
  if (column.isGenerated) return 'Left out: the database computes it.'
  if (column.isCounted) return 'Left out: the database counts it up, and a record has one identity, its primary key.'
  if (!column.isExact) return 'Left out: its collation takes texts for equal that differ.'
  const kind = target ? call('reference', target) : kindOf(column, checks)
  if (typeof kind === 'string') return kind
  if (kind.name === 'createdAt' || kind.name === 'updatedAt') return { plan: [kind], notes: [] }
  const modifiers: Call[] = []
  if (!column.isRequired) modifiers.push(call('nullable'))
  if (isUnique && column.type !== 'citext') modifiers.push(call('unique'))
  if (isCleared && !column.isRequired) modifiers.push(call('clearedOnDelete'))
  const said = checks.filter((check) => isSaid(kind, check))
  const notes = checks
    .filter((check) => !said.includes(check))
    .map(
      ({ condition }) =>
        `CHECK ${condition} is not declared: the database refuses what breaks it, which is answered 422.`,
    )
  if (column.type === 'timestamp') notes.push('It has no time zone, and is taken to be of UTC.')
  if (column.type === 'citext') notes.push(`It is citext: ${foldedText(isUnique)}`)
  const given = defaultOf([kind, ...modifiers], column)
  if (given !== undefined) modifiers.push(call('default', given))
  else if (column.default !== null && column.isRequired)
    notes.push(`Its default ${column.default} is the database's own: a request must give a value.`)
  return { plan: [kind, ...modifiers], notes }
}

/** What becomes of a text that the database compares without regard to case. */
function foldedText(isUnique: boolean): string {
  const asked = 'filters tell upper from lower case.'
  return isUnique ? `${asked} It stays unique without regard to case: what is taken is answered 409.` : asked
}

function isSaid(kind: Call, check: CatalogCheck): boolean {
  return (
    (kind.name === 'choice' && choicesIn(check) !== undefined) ||
    (kind.name === 'integer' && limitIn(check) !== undefined)
  )
}

function kindOf(column: CatalogColumn, checks: readonly CatalogCheck[]): Call | string {
  const { type, name, precision, scale, isRequired } = column
  if (column.choices) return call('choice', ...column.choices)
  const choices = checks.flatMap((check) => choicesIn(check) ?? [])
  switch (type) {
    case 'int2':
      return call('integer', limits(checks, -32_768, 32_767))
    case 'int4':
      return call('integer', limits(checks, -2_147_483_648, 2_147_483_647))
    case 'int8':
      return call('integer', limits(checks))
    case 'float8':
      return call('number')
    case 'bool':
      return call('boolean')
    case 'date':
      return call('date')
    case 'uuid':
      return call('guid')
    case 'citext':
    case 'text':
    case 'varchar':
      if (choices.length > 0 && type !== 'citext') return call('choice', ...choices)
      return call('text', column.length === null ? {} : { maxLength: column.length })
    case 'numeric':
      if (precision === null || scale === null)
        return `Left out: a ${column.form} has any number of digits. ${other('numeric(18, 2)')}`
      if (precision > 18 || scale < 0 || scale >= precision)
        return `Left out: a decimal has up to 18 digits. ${other('numeric(18, 2)')}`
      return call('decimal', { precision, scale })
    case 'timestamp':
    case 'timestamptz':
      if ((precision ?? 6) < 3) return `Left out: a moment is told in milliseconds. ${other('timestamptz')}`
      return isRequired ? momentKind(name) : call('timestamp')
    default:
      return reasonFor(column)
  }
}

const other = (type: string) => `It fits as ${type}.`

function reasonFor({ type, form }: CatalogColumn): string {
  if (form.endsWith('[]') || type.startsWith('_'))
    return 'Left out: a list of values has no place in a record. Declare a noun for them.'
  if (type === 'json' || type === 'jsonb') return 'Left out: an object within a record.'
  if (type === 'bytea') return 'Left out: records hold no files.'
  if (type === 'bpchar') return `Left out: ${form} is filled up with spaces. ${other('varchar')}`
  if (type === 'float4') return `Left out: what is written is not what is read. ${other('double precision')}`
  if (type === 'time' || type === 'timetz') return `Left out: a time without a day. ${other('text')}`
  if (type === 'money') return `Left out: its form depends on the server. ${other('numeric(18, 2)')}`
  return `Left out: there is no kind of field for ${form}.`
}

function limits(checks: readonly CatalogCheck[], least?: number, most?: number): object {
  const found = checks.flatMap((check) => limitIn(check) ?? [])
  const min = Math.max(...found.map((one) => one.min ?? -Infinity), least ?? -Infinity)
  const max = Math.min(...found.map((one) => one.max ?? Infinity), most ?? Infinity)
  return { ...(Number.isFinite(min) && { min }), ...(Number.isFinite(max) && { max }) }
}

/** Moments that the service itself sets are known by their names. */
function momentKind(name: string): Call {
  const bare = name.replace(/[^a-z]/gi, '')
  if (/^(created?|creation|inserted)(at|on|date|time)?$/i.test(bare)) return call('createdAt')
  if (/^(last)?(updated?|modified|changed)(at|on|date|time)?$/i.test(bare)) return call('updatedAt')
  return call('timestamp')
}

/** A default that is a value, in the form that the field has it in; undefined for an expression. */
function defaultOf(plan: FieldPlan, { default: expression }: CatalogColumn): Value | undefined {
  if (expression === null || plan[0].name === 'reference') return undefined
  const [, text, bare] = /^(?:'((?:[^']|'')*)'(?:::[\w" .()[\]]+)?|(-?[\d.]+|true|false))$/.exec(expression) ?? []
  const written = text?.replaceAll("''", "'") ?? bare
  if (written === undefined) return undefined
  const { spec } = planField(plan)
  const isNumber = spec.kind === 'integer' || spec.kind === 'number'
  const given = spec.kind === 'boolean' ? written === 'true' : isNumber ? Number(written) : written
  const reading = readValue(spec, given)
  return 'value' in reading ? (reading.value as Value) : undefined
}
