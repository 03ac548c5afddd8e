/** The progress of consumers of changes in the database. */
import type { ConsumerProgress, ConsumerStore } from '../../consumer.ts'
import { slot } from '../fragment.ts'
import { sql } from '../sql.ts'
import type { OwnRow, OwnTableDatabase, OwnTableDialect, OwnTableWork } from './dialect.ts'

/** The input of the statements. */
interface Input extends ConsumerProgress {
  readonly name: string
  readonly owner: string
  readonly holdMs: number
  readonly names: readonly string[]
  readonly storedFailures: number
}

const bound = (name: keyof Input) => slot<Partial<Input>>((input) => input[name])
const progress = sql`"position", "failures", "failingSince", "retryAt", "replayedAt"`
const columns = sql`"name", ${progress}, "owner", "heldUntil"`
const nameList = slot<Input>(({ names }) => JSON.stringify(names.map((name) => ({ name }))))

export function consumerStore(database: OwnTableDatabase, { nowMs, jsonRows }: OwnTableDialect): ConsumerStore {
  const rows = jsonRows(nameList, { name: 'text' })
  const isListed = sql`"name" in (select "name" from ${rows})`
  const states = sql`select "name", "owner" = ${bound('owner')} or "heldUntil" < ${nowMs}, "failures", "replayedAt"
from "_consumer"
where ${isListed}`
  const hold = sql`update "_consumer"
set "owner" = ${bound('owner')}, "heldUntil" = ${nowMs} + ${bound('holdMs')}
where ${isListed} and ("owner" = ${bound('owner')} or "heldUntil" < ${nowMs})
returning "name", ${progress}`
  const save = sql`update "_consumer"
set "position" = ${bound('position')}, "failures" = ${bound('failures')},
  "failingSince" = ${bound('failingSince')}, "retryAt" = ${bound('retryAt')}
where "name" = ${bound('name')} and "owner" = ${bound('owner')} and "replayedAt" = ${bound('replayedAt')}
  and "failures" = ${bound('storedFailures')}
returning "name"`
  const release = sql`update "_consumer"
set "heldUntil" = 0
where "owner" = ${bound('owner')} and ${isListed}`
  const add = sql`insert into "_consumer" (${columns})
values (${bound('name')}, ${bound('position')}, 0, 0, 0, 0, '', 0)
on conflict do nothing`
  const replay = sql`update "_consumer"
set "position" = case when "position" < ${bound('position')} then "position" else ${bound('position')} end,
  "failures" = 0, "failingSince" = 0, "retryAt" = 0, "replayedAt" = ${nowMs}
where "name" = ${bound('name')}`
  const retry = sql`update "_consumer"
set "failures" = 0, "failingSince" = 0, "retryAt" = 0
where "name" = ${bound('name')}`
  const remove = sql`delete from "_consumer" where "name" = ${bound('name')}`
  const run = (statement: typeof hold, input: Partial<Input>) =>
    database.write(function* (): OwnTableWork<readonly OwnRow[]> {
      return yield { statement, input }
    })
  return {
    states: async (names, owner) => {
      const rows = await database.read(function* (): OwnTableWork<readonly OwnRow[]> {
        return yield { statement: states, input: { names, owner } }
      })
      return new Map(
        rows.map(([name, isFree, failures, replayedAt]) => [
          `${name}`,
          { isFree: isTrue(isFree), failures: Number(failures), replayedAt: Number(replayedAt) },
        ]),
      )
    },
    hold: async (names, owner, holdMs) =>
      new Map((await run(hold, { names, owner, holdMs })).map((row) => [`${row[0]}`, progressIn(row)])),
    save: async (name, owner, next, { failures: storedFailures }) =>
      (await run(save, { name, owner, ...next, storedFailures })).length > 0,
    release: async (names, owner) => void (await run(release, { names, owner })),
    add: async (name, position) => void (await run(add, { name, position })),
    replay: async (name, position) => void (await run(replay, { name, position })),
    retry: async (name) => void (await run(retry, { name })),
    remove: async (name) => void (await run(remove, { name })),
  }
}

/** A condition as SQLite and PostgreSQL return it. */
function isTrue(value: unknown): boolean {
  return value === true || value === 't' || Number(value) === 1
}

function progressIn(row: OwnRow): ConsumerProgress {
  const [position = 0, failures = 0, failingSince = 0, retryAt = 0, replayedAt = 0] = row.slice(1).map(Number)
  return { position, failures, failingSince, retryAt, replayedAt }
}
