/** Work of a migration that runs without locks, outside a transaction. */
import type { ClientBase } from 'pg'

/** `sql` describes the work in a plan. */
export interface OnlineStatement {
  readonly sql: string
  run(client: ClientBase): Promise<unknown>
}
