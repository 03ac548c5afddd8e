/** Whether a column that was there before holds the values of a field exactly, with no change of its type. */
import { declaredName, type FieldSchema, type NounSchema } from '../../migrate/schema.ts'
import type { CatalogColumn } from './catalog.ts'

/** What a column of whole numbers can hold. */
const wholeRange: Readonly<Record<string, readonly [number, number]>> = {
  int2: [-32_768, 32_767],
  int4: [-2_147_483_648, 2_147_483_647],
  int8: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
}

/** Why it does not, and what to do; undefined where it does. */
export function columnMisfit(noun: NounSchema, field: FieldSchema, column: CatalogColumn): string | undefined {
  if (column.isGenerated) return `is computed by the database: leave "${declaredName(field)}" out.`
  if (column.isCounted && field.kind !== 'identity')
    return `is counted up by the database: leave "${declaredName(field)}" out.`
  if (column.type === 'citext' && isFolded(field) && noun.unique.some((set) => set.includes(field.name)))
    return 'is citext, which takes texts for equal that differ in case: leave unique() out, the database sees to it.'
  if (!isHolding(field, column))
    return `is ${column.form}, which does not hold ${wanted(field)}. ${fitting[field.kind]} does: change it, or leave the field out.`
  if (!column.isExact) return 'has a collation under which texts that differ are equal: leave it out.'
  if (column.isRequired && field.nullable) return 'is never null: leave nullable() out.'
  if (!column.isRequired && !field.nullable)
    return `may be null: declare it nullable(), or: alter table "${noun.name}" alter "${column.name}" set not null`
  return limitMisfit(field, column)
}

/** What holds a kind of field, in words. */
const fitting: Readonly<Record<FieldSchema['kind'], string>> = {
  identity: 'An integer, bigint or uuid',
  reference: 'A column of the type of what it points at',
  integer: 'A smallint, integer or bigint',
  number: 'A double precision',
  decimal: 'A numeric of the same scale',
  boolean: 'A boolean',
  date: 'A date',
  timestamp: 'A timestamptz or timestamp in milliseconds or finer',
  guid: 'A uuid or text',
  choice: 'A text, or an enumerated type of these values,',
  text: 'A text, citext or varchar(n)',
  email: 'A text or varchar(n)',
  url: 'A text, citext or varchar(n)',
}

/** The types that hold a kind of field. */
function isHolding({ kind, guid, scale = 0, limits = {}, choices = [] }: FieldSchema, column: CatalogColumn): boolean {
  const { type, precision } = column
  switch (kind) {
    case 'identity':
    case 'reference':
      return guid ? type === 'uuid' : type in wholeRange
    case 'integer':
      return type in wholeRange
    case 'number':
      return type === 'float8'
    case 'decimal': {
      const whole = (limits.precision ?? 18) - scale
      return type === 'numeric' && column.scale === scale && precision !== null && precision - scale >= whole
    }
    case 'boolean':
      return type === 'bool'
    case 'date':
      return type === 'date'
    case 'timestamp':
      return (type === 'timestamptz' || type === 'timestamp') && (precision ?? 6) >= 3
    case 'guid':
      return type === 'uuid' || isText(column)
    case 'choice':
      return column.choices ? choices.every((choice) => column.choices?.includes(choice)) : isText(column)
    default:
      return isText(column) || (type === 'citext' && isFolded({ kind }))
  }
}

/** Whether a text may be compared without regard to case where it is kept: wherever it is asked for, it is compared exactly. */
function isFolded({ kind }: Pick<FieldSchema, 'kind'>): boolean {
  return kind === 'text' || kind === 'url'
}

function isText({ type }: CatalogColumn): boolean {
  return type === 'text' || type === 'varchar'
}

/** A request must be told of a limit before the database refuses it. */
function limitMisfit(field: FieldSchema, column: CatalogColumn): string | undefined {
  const { kind, limits = {} } = field
  const [least, most] = wholeRange[column.type] ?? []
  if (kind === 'integer' && column.type !== 'int8' && least !== undefined && most !== undefined) {
    const isWithin = Number(limits.min ?? -Infinity) >= least && Number(limits.max ?? Infinity) <= most
    if (!isWithin) return `is ${column.form}: declare integer({ min: ${least}, max: ${most} }), or less.`
  }
  if (column.length === null || longestOf(field) <= column.length) return undefined
  return `is ${column.form}: declare no more, such as text({ maxLength: ${column.length} }).`
}

/** How many characters a value may have. */
function longestOf({ kind, limits = {}, choices = [] }: FieldSchema): number {
  if (kind === 'guid') return 36
  if (kind === 'choice') return Math.max(...choices.map((choice) => [...choice].length))
  return limits.maxLength ?? Infinity
}

function wanted({ kind, guid, scale, limits, choices, target }: FieldSchema): string {
  switch (kind) {
    case 'decimal':
      return `every decimal({ precision: ${limits?.precision ?? 18}, scale: ${scale} })`
    case 'choice':
      return `every one of ${choices?.map((choice) => JSON.stringify(choice)).join(', ')}`
    case 'identity':
      return guid ? "identity('guid')" : 'identity()'
    case 'reference':
      return `references to "${target}" by ${guid ? 'guid' : 'number'}`
    default:
      return `every ${kind}`
  }
}
