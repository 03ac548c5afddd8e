/**
 * Recognizes replicas that have not followed the primary. The primary has a row with a random string for its timeline. A
 * replica without that row has not replayed the last failover yet, or has a log of its own: a replaced primary that became
 * a standby may even be ahead of the new primary.
 */
import { randomUUID } from 'node:crypto'
import { slot } from '../../sql/fragment.ts'
import { sql } from '../../sql/sql.ts'
import type { PostgresDatabase } from '../connect/database.ts'
import { compile } from '../statement.ts'

/** A timeline of the primary, and the string that its replicas have. */
export interface Timeline {
  readonly number: number
  readonly token: string
}

const number = sql`${slot<Timeline>((timeline) => timeline.number)}::bigint`
const token = slot<Timeline>((timeline) => timeline.token)
const find = compile<Timeline>(sql`select "token" from "_timeline" where "timeline" = ${number}`)
const add = compile<Timeline>(sql`insert into "_timeline" values (${number}, ${token}) on conflict do nothing`)

/** The row of the primary's current timeline, which the first instance writes. */
export async function timelineOf(primary: PostgresDatabase, number: number): Promise<Timeline> {
  const read = async () => (await primary.readShort(find, { number, token: '' }))[0]?.[0] ?? undefined
  const token = await read()
  if (token !== undefined) return { number, token }
  await primary.write(add, { number, token: randomUUID() })
  return { number, token: `${await read()}` }
}
