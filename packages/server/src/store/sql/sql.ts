/** SQL as data: fragments, names and bound values in their order, built by templates and compiled once. */

type Piece = string | { readonly name: string } | { readonly value: unknown }

export interface Sql {
  readonly pieces: readonly Piece[]
}

/**
 * A piece of SQL. Interpolated values are other pieces, or values to be bound.
 *
 * ```ts
 * sql`select ${sql.ref('t.name')} from ${sql.table('user')} as t where ${sql.ref('t.id')} = ${7}`
 * ```
 */
function template(strings: TemplateStringsArray, ...values: readonly unknown[]): Sql {
  const pieces: Piece[] = []
  strings.forEach((string, index) => {
    if (index > 0) pieces.push(...piecesOf(values[index - 1]))
    if (string !== '') pieces.push(string)
  })
  return { pieces }
}

export const sql = Object.assign(template, {
  /** A name, or several separated by dots: `t.name`. */
  ref: (path: string): Sql => ({
    pieces: path.split('.').flatMap((name, index) => (index === 0 ? [{ name }] : ['.', { name }])),
  }),
  table: (name: string): Sql => ({ pieces: [{ name }] }),
  /** A value to be bound. */
  val: (value: unknown): Sql => ({ pieces: [{ value }] }),
  /** A constant, which is written into the SQL. */
  lit: (value: string | number | boolean | null): Sql => ({
    pieces: [typeof value === 'string' ? stringLiteral(value) : `${value}`],
  }),
  /** A string that is already SQL. */
  raw: (text: string): Sql => ({ pieces: [text] }),
  join: (items: readonly unknown[], separator: Sql = { pieces: [', '] }): Sql => ({
    pieces: items.flatMap((item, index) => (index === 0 ? piecesOf(item) : [...separator.pieces, ...piecesOf(item)])),
  }),
})

/** How a database writes names and parameters; the first parameter is 1. */
export interface Notation {
  name(name: string): string
  parameter(position: number): string
}

/** The SQL of a query, and its bound values in their order. */
export function writeSql({ pieces }: Sql, notation: Notation): { readonly text: string; readonly bound: unknown[] } {
  const bound: unknown[] = []
  const texts = pieces.map((piece) => {
    if (typeof piece === 'string') return piece
    return 'name' in piece ? notation.name(piece.name) : notation.parameter(bound.push(piece.value))
  })
  return { text: texts.join(''), bound }
}

/** A quoted name for both databases. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** A string literal for both databases. */
export function stringLiteral(value: string): string {
  return `'${value.replaceAll("'", "''")}'`
}

function piecesOf(value: unknown): readonly Piece[] {
  return isSql(value) ? value.pieces : [{ value }]
}

function isSql(value: unknown): value is Sql {
  return typeof value === 'object' && value !== null && 'pieces' in value
}
