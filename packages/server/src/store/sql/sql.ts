/** SQL as data: texts, names and bound values in their order, put together by templates and written out once. */

type Piece = string | { readonly name: string } | { readonly value: unknown }

export interface Sql {
  readonly pieces: readonly Piece[]
}

/**
 * A piece of SQL. What stands in it is another piece, or a value to be bound.
 *
 * ```ts
 * sql`select ${sql.ref('t.name')} from ${sql.table('user')} as t where ${sql.ref('t.id')} = ${7}`
 * ```
 */
function template(texts: TemplateStringsArray, ...given: readonly unknown[]): Sql {
  const pieces: Piece[] = []
  texts.forEach((text, index) => {
    if (index > 0) pieces.push(...piecesOf(given[index - 1]))
    if (text !== '') pieces.push(text)
  })
  return { pieces }
}

export const sql = Object.assign(template, {
  /** A name, or several with points between them: `t.name`. */
  ref: (path: string): Sql => ({
    pieces: path.split('.').flatMap((name, index) => (index === 0 ? [{ name }] : ['.', { name }])),
  }),
  table: (name: string): Sql => ({ pieces: [{ name }] }),
  /** A value to be bound, whatever it is. */
  val: (value: unknown): Sql => ({ pieces: [{ value }] }),
  /** A value that is the same at every run, and so stands in the text itself. */
  lit: (value: string | number | boolean | null): Sql => ({
    pieces: [typeof value === 'string' ? textLiteral(value) : `${value}`],
  }),
  /** Text that is SQL already. */
  raw: (text: string): Sql => ({ pieces: [text] }),
  join: (items: readonly unknown[], separator: Sql = { pieces: [', '] }): Sql => ({
    pieces: items.flatMap((item, index) => (index === 0 ? piecesOf(item) : [...separator.pieces, ...piecesOf(item)])),
  }),
})

/** How a database writes names, and places of bound values, the first of which is 1. */
export interface Notation {
  name(name: string): string
  place(position: number): string
}

/** The text of a query, and the values to be bound in it, in their order. */
export function writeSql({ pieces }: Sql, notation: Notation): { readonly text: string; readonly bound: unknown[] } {
  const bound: unknown[] = []
  const texts = pieces.map((piece) => {
    if (typeof piece === 'string') return piece
    return 'name' in piece ? notation.name(piece.name) : notation.place(bound.push(piece.value))
  })
  return { text: texts.join(''), bound }
}

/** A name as both databases take it. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** A text as both databases take it. */
export function textLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

function piecesOf(given: unknown): readonly Piece[] {
  return isSql(given) ? given.pieces : [{ value: given }]
}

function isSql(given: unknown): given is Sql {
  return typeof given === 'object' && given !== null && 'pieces' in given
}
