/** Statements for PostgreSQL: compiled once, then only bound and sent. */

import { sha256 } from '../../foundation/sha256.ts'
import { binder } from '../sql/fragment.ts'
import { type Sql, writeSql } from '../sql/sql.ts'
import { identifier } from './name.ts'

/** Every name has the form that its table was created with. */
const notation = {
  name: identifier,
  parameter: (position: number) => `$${position}`,
}

/** A statement whose bound values are read from an input at each run. */
export interface Statement<Input> {
  /** A hash of the SQL, so that a connection prepares equal statements once. */
  readonly name: string
  readonly text: string
  bind(input: Input): unknown[]
}

export function compile<Input>(query: Sql): Statement<Input> {
  const { text, bound } = writeSql(query, notation)
  const name = sha256(text).slice(0, 20)
  return { name, text, bind: binder<Input>(bound) }
}
