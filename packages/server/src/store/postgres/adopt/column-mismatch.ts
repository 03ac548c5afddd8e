/** Whether an existing column can store the values of a field exactly, without a change of its type. */
import { declaredName, type FieldSchema, type NounSchema } from '../../migrate/schema/schema.ts'
import type { CatalogColumn } from './catalog.ts'

/** The range of integer columns. */
const wholeRange: Readonly<Record<string, readonly [number, number]>> = {
  int2: [-32_768, 32_767],
  int4: [-2_147_483_648, 2_147_483_647],
  int8: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
}

/** The mismatch and its fix; undefined if the column matches. */
export function columnMismatch(noun: NounSchema, field: FieldSchema, column: CatalogColumn): string | undefined {
  if (column.isGenerated) return `is a generated column: remove the field "${declaredName(field)}".`
  if (column.hasSequence && field.kind !== 'identity')
    return `is filled from a sequence: remove the field "${declaredName(field)}".`
  if (column.type === 'citext' && mayIgnoreCase(field) && noun.unique.some((set) => set.includes(field.name)))
    return 'has the type citext. unique() compares case-sensitively, so remove it. The unique index in the database stays in effect.'
  if (!canStore(field, column))
    return `is ${column.form}, which cannot store ${describeValues(field)}. ${typeFix(field)}`
  if (!column.hasDeterministicCollation)
    return 'has a nondeterministic collation, under which different strings are equal: change the collation, or remove the field.'
  if (column.isRequired && field.nullable) return 'has a not-null constraint: remove nullable().'
  if (!column.isRequired && !field.nullable)
    return `can be null: declare it nullable(), or run: alter table "${noun.name}" alter "${column.name}" set not null`
  if (field.databaseDefault && column.default === null)
    return 'has no default: remove databaseDefault(), or give the column a default.'
  return limitMismatch(field, column)
}

/** The suitable types for each kind of field, for messages. */
const suitableTypes: Readonly<Record<FieldSchema['kind'], string>> = {
  identity: 'smallint, integer or bigint',
  reference: 'the type of the referenced column',
  integer: 'smallint, integer or bigint',
  number: 'double precision',
  decimal: 'numeric of the same scale',
  boolean: 'boolean',
  date: 'date',
  timestamp: 'timestamptz or timestamp with at least milliseconds',
  guid: 'uuid or text',
  choice: 'text, or an enum type of these values',
  text: 'text, citext or varchar(n)',
  email: 'text or varchar(n)',
  url: 'text, citext or varchar(n)',
}

function typeFix({ kind, guid }: FieldSchema): string {
  if (kind === 'identity')
    return guid ? 'Use uuid.' : `Use ${suitableTypes.identity}, or declare identity('guid') for uuid.`
  return `Use ${suitableTypes[kind]}, or remove the field.`
}

/** Whether a column has a suitable type. */
function canStore({ kind, guid, scale = 0, limits = {}, choices = [] }: FieldSchema, column: CatalogColumn): boolean {
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
      const integerDigits = (limits.precision ?? 18) - scale
      return type === 'numeric' && column.scale === scale && precision !== null && precision - scale >= integerDigits
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
      return isText(column) || (type === 'citext' && mayIgnoreCase({ kind }))
  }
}

/** Whether the column may ignore case. Nomen's own comparisons are always case-sensitive. */
function mayIgnoreCase({ kind }: Pick<FieldSchema, 'kind'>): boolean {
  return kind === 'text' || kind === 'url'
}

function isText({ type }: CatalogColumn): boolean {
  return type === 'text' || type === 'varchar'
}

/** A field must declare the limits of its column, so that a request is rejected before it reaches the database. */
function limitMismatch(field: FieldSchema, column: CatalogColumn): string | undefined {
  const { kind, limits = {} } = field
  const [min, max] = wholeRange[column.type] ?? []
  if (kind === 'integer' && column.type !== 'int8' && min !== undefined && max !== undefined) {
    const isWithin = Number(limits.min ?? -Infinity) >= min && Number(limits.max ?? Infinity) <= max
    if (!isWithin) return `is ${column.form}: declare integer({ min: ${min}, max: ${max} }) or a smaller range.`
  }
  if (column.length === null || maxLengthOf(field) <= column.length) return undefined
  if (kind === 'guid' || kind === 'choice')
    return `is ${column.form}, which is too short for the values: make it longer.`
  return `is ${column.form}: declare its limit: ${kind}({ maxLength: ${column.length} }).`
}

/** The maximum number of characters of a value. */
function maxLengthOf({ kind, limits = {}, choices = [] }: FieldSchema): number {
  if (kind === 'guid') return 36
  if (kind === 'choice') return Math.max(...choices.map((choice) => [...choice].length))
  return limits.maxLength ?? Infinity
}

function describeValues({ kind, guid, scale, limits, choices, target }: FieldSchema): string {
  switch (kind) {
    case 'decimal':
      return `every decimal({ precision: ${limits?.precision ?? 18}, scale: ${scale} })`
    case 'choice':
      return `all of ${choices?.map((choice) => JSON.stringify(choice)).join(', ')}`
    case 'identity':
      return guid ? "identity('guid')" : 'identity()'
    case 'reference':
      return `references to "${target}" by ${guid ? 'guid' : 'number'}`
    default:
      return `every ${kind}`
  }
}
