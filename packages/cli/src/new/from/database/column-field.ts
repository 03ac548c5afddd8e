/** Converts a database column to a field. */
import { readValue, type Value } from '@nomen/core'
import type { CatalogCheck, CatalogColumn } from '@nomen/server/admin'
import { type Call, call, type FieldPlan, planField, type Target } from '../field-plan.ts'
import { choicesIn, limitIn } from './check-condition.ts'

export interface ColumnContext {
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
  /** Properties of the column that the declaration does not have. */
  readonly notes: readonly string[]
}

/** The field, or the reason why the column is left out. */
export function columnField({ column, checks, target, isCleared, isUnique }: ColumnContext): ColumnField | string {
  if (column.isGenerated) return 'Left out: the database computes it.'
  if (column.hasSequence)
    return 'Left out: a generated number, but only the primary key can be the identity of a record.'
  if (!column.hasDeterministicCollation)
    return 'Left out: its collation is not deterministic: it treats different strings as equal.'
  const kind = target ? call('reference', target) : kindOf(column, checks)
  if (typeof kind === 'string') return kind
  if (kind.name === 'createdAt' || kind.name === 'updatedAt') return { plan: [kind], notes: [] }
  const modifiers: Call[] = []
  if (!column.isRequired) modifiers.push(call('nullable'))
  if (isUnique && column.type !== 'citext') modifiers.push(call('unique'))
  if (isCleared && !column.isRequired) modifiers.push(call('clearedOnDelete'))
  const notes = checks
    .filter((check) => !isDeclared(kind, check))
    .map(({ condition }) => `CHECK ${condition} is not declared: the database enforces it, and violations get 422.`)
  if (column.type === 'timestamp') notes.push('It has no time zone; its values are read as UTC.')
  if (column.type === 'citext') notes.push(`It is citext: ${caseInsensitiveText(isUnique)}`)
  const defaultValue = defaultOf([kind, ...modifiers], column)
  if (defaultValue !== undefined) modifiers.push(call('default', defaultValue))
  else if (column.default !== null) modifiers.push(call('databaseDefault'))
  return { plan: [kind, ...modifiers], notes }
}

/** The note about a column that the database compares case-insensitively. */
function caseInsensitiveText(isUnique: boolean): string {
  const filters = 'filters are case-sensitive.'
  return isUnique ? `${filters} It remains unique case-insensitively: a duplicate gets 409.` : filters
}

function isDeclared(kind: Call, check: CatalogCheck): boolean {
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
        return `Left out: ${column.form} has no fixed number of digits. ${useType('numeric(18, 2)')}`
      if (precision > 18 || scale < 0 || scale >= precision)
        return `Left out: a decimal has at most 18 digits. ${useType('numeric(18, 2)')}`
      return call('decimal', { precision, scale })
    case 'timestamp':
    case 'timestamptz':
      if ((precision ?? 6) < 3) return `Left out: timestamps have milliseconds. ${useType('timestamptz')}`
      return isRequired ? timestampKind(name) : call('timestamp')
    default:
      return reasonFor(column)
  }
}

const useType = (type: string) => `Change its type to ${type}.`

function reasonFor({ type, form }: CatalogColumn): string {
  if (form.endsWith('[]') || type.startsWith('_'))
    return 'Left out: a field cannot be an array. Declare a noun for its values.'
  if (type === 'json' || type === 'jsonb') return 'Left out: a field cannot be an object.'
  if (type === 'bytea') return 'Left out: a field cannot be binary data.'
  if (type === 'bpchar') return `Left out: ${form} is padded with spaces. ${useType('varchar')}`
  if (type === 'float4') return `Left out: values are rounded when stored. ${useType('double precision')}`
  if (type === 'time' || type === 'timetz') return `Left out: a time without a date. ${useType('text')}`
  if (type === 'money') return `Left out: its format depends on the server. ${useType('numeric(18, 2)')}`
  return `Left out: no field type fits ${form}.`
}

function limits(checks: readonly CatalogCheck[], typeMin = -Infinity, typeMax = Infinity): object {
  const columnLimits = checks.flatMap((check) => limitIn(check) ?? [])
  const min = Math.max(...columnLimits.map((limit) => limit.min ?? -Infinity), typeMin)
  const max = Math.min(...columnLimits.map((limit) => limit.max ?? Infinity), typeMax)
  return { ...(Number.isFinite(min) && { min }), ...(Number.isFinite(max) && { max }) }
}

/** Recognizes timestamps that the service sets by their names. */
function timestampKind(name: string): Call {
  const letters = name.replace(/[^a-z]/gi, '')
  if (/^(created?|creation|inserted)(at|on|date|time)?$/i.test(letters)) return call('createdAt')
  if (/^(last)?(updated?|modified|changed)(at|on|date|time)?$/i.test(letters)) return call('updatedAt')
  return call('timestamp')
}

/** A default that is a literal, as a value of the field; undefined for an expression. */
function defaultOf(plan: FieldPlan, { default: expression }: CatalogColumn): Value | undefined {
  if (expression === null || plan[0].name === 'reference') return undefined
  const [, text, unquoted] = /^(?:'((?:[^']|'')*)'(?:::[\w" .()[\]]+)?|(-?[\d.]+|true|false))$/.exec(expression) ?? []
  const literal = text?.replaceAll("''", "'") ?? unquoted
  if (literal === undefined) return undefined
  const { spec } = planField(plan)
  const isNumber = spec.kind === 'integer' || spec.kind === 'number'
  const value = spec.kind === 'boolean' ? literal === 'true' : isNumber ? Number(literal) : literal
  const result = readValue(spec, value)
  return 'value' in result ? (result.value as Value) : undefined
}
