/** The progress of consumers of changes in the database. */
import type { ConsumerProgress, ConsumerStore } from '../../consumer.ts'
import { slot } from '../fragment.ts'
import { type Sql, sql } from '../sql.ts'
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

/** The statements for one kind of database. `replayedAt` keeps a save from overwriting a replay that began after the read. */
function statementsOf({ nowMs, jsonRows }: OwnTableDialect) {
  const isListed = sql`"name" in (select "name" from ${jsonRows(nameList, { name: 'text' })})`
  const isNamed = sql`"name" = ${bound('name')}`
  const isOwn = sql`"owner" = ${bound('owner')}`
  return {
    states: sql`select "name", ${isOwn} or "heldUntil" < ${nowMs}, "failures", "replayedAt"
from "_consumer"
where ${isListed}`,
    hold: sql`update "_consumer"
set "owner" = ${bound('owner')}, "heldUntil" = ${nowMs} + ${bound('holdMs')}
where ${isListed} and (${isOwn} or "heldUntil" < ${nowMs})
returning "name", ${progress}`,
    save: sql`update "_consumer"
set "position" = ${bound('position')}, "failures" = ${bound('failures')},
  "failingSince" = ${bound('failingSince')}, "retryAt" = ${bound('retryAt')}
where ${isNamed} and ${isOwn} and "replayedAt" = ${bound('replayedAt')}
  and "failures" = ${bound('storedFailures')}
returning "name"`,
    release: sql`update "_consumer"
set "heldUntil" = 0
where ${isOwn} and ${isListed}`,
    add: sql`insert into "_consumer" (${columns})
values (${bound('name')}, ${bound('position')}, 0, 0, 0, 0, '', 0)
on conflict do nothing`,
    replay: sql`update "_consumer"
set "position" = case when "position" < ${bound('position')} then "position" else ${bound('position')} end,
  "failures" = 0, "failingSince" = 0, "retryAt" = 0, "replayedAt" = ${nowMs}
where ${isNamed}`,
    retry: sql`update "_consumer"
set "failures" = 0, "failingSince" = 0, "retryAt" = 0
where ${isNamed}`,
    remove: sql`delete from "_consumer" where ${isNamed}`,
  }
}

export function consumerStore(database: OwnTableDatabase, dialect: OwnTableDialect): ConsumerStore {
  const { states, hold, save, release, add, replay, retry, remove } = statementsOf(dialect)
  const statementWork = (statement: Sql, input: Partial<Input>) =>
    function* (): OwnTableWork<readonly OwnRow[]> {
      return yield { statement, input }
    }
  const run = (statement: Sql, input: Partial<Input>) => database.write(statementWork(statement, input))
  return {
    states: async (names, owner) => {
      const rows = await database.read(statementWork(states, { names, owner }))
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
