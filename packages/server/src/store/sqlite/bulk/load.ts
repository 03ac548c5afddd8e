/** Loads whole rows of sample data, within an open transaction. */
import type { DatabaseSync } from 'node:sqlite'
import { absentFields } from '../../bulk/absent-field.ts'
import type { NounSchema, Schema } from '../../migrate/schema/schema.ts'
import { withoutIndexes } from '../../migrate/schema/without-indexes.ts'
import { type Model, type StoredNoun, writtenNouns } from '../../model.ts'
import { sampleOrigin, type Values } from '../../plan.ts'
import { linkQuery } from '../../sql/link-query.ts'
import { quotedName } from '../../sql/sql.ts'
import { insertQuery, type WriteInput } from '../../sql/write-query.ts'
import type { LoadPart } from '../../store.ts'
import { tableName } from '../../stored-name.ts'
import { sqliteDialect } from '../dialect.ts'
import { alterNoun } from '../migrate/alter.ts'
import { readSchema } from '../migrate/snapshot.ts'
import { loadCache, normalCache } from '../open-database.ts'
import { prepare, type Statement } from '../statement.ts'
import type { HistoryOrigin } from '../write/history-origin.ts'

/** From this number of rows on, building indexes and tallies at the end costs less than maintaining them. */
const minRowsToRebuild = 2000

/** Whether no noun has records. */
export function hasNoRecords(database: DatabaseSync, model: Model): boolean {
  return !writtenNouns(model).some((noun) =>
    database.prepare(`select 1 from ${quotedName(tableName(noun))} limit 1`).get(),
  )
}

/** Returns the number of rows. */
export function loadParts(
  database: DatabaseSync,
  model: Model,
  history: HistoryOrigin | undefined,
  parts: Iterable<LoadPart>,
): number {
  // Rows may come before their targets; the commit checks all references. Index entries are scattered: with a small
  // cache, the same pages would be written repeatedly.
  database.exec(`pragma defer_foreign_keys = on; pragma cache_size = ${loadCache}`)
  try {
    const load = () => {
      const indexes = new DeferredIndexes(database)
      let count = 0
      const onRow = () => {
        if (++count === minRowsToRebuild) indexes.drop()
      }
      for (const part of parts) {
        if ('noun' in part) loadNoun(database, model, part, onRow)
        else loadLink(database, model, part, onRow)
      }
      indexes.build()
      return count
    }
    return history ? history.runWrite(sampleOrigin, load) : load()
  } finally {
    database.exec(`pragma cache_size = ${normalCache}; pragma shrink_memory`)
  }
}

function loadNoun(
  database: DatabaseSync,
  model: Model,
  { noun: name, rows }: Extract<LoadPart, { noun: string }>,
  onRow: () => void,
): void {
  const stored = model.nouns.get(name) as StoredNoun
  const fields = Object.keys(stored.noun.fields)
  const absentOf = absentFields(stored.noun)
  const inserts = new Map<string, Statement<WriteInput>>()
  for (const row of rows) {
    const absent = absentOf(row)
    const writtenFields = () => fields.filter((field) => !absent.includes(field))
    const key = absent.join()
    const insert = inserts.get(key) ?? prepare(database, insertQuery(sqliteDialect, stored, writtenFields()))
    inserts.set(key, insert)
    insert.run({ key: null, values: row as Values })
    onRow()
  }
}

function loadLink(
  database: DatabaseSync,
  model: Model,
  { link: [first, second], rows }: LoadPart & { link: readonly [string, string] },
  onRow: () => void,
): void {
  const link = model.links.find(({ name }) => name === `${first}-${second}`)
  if (!link) throw new Error(`"${first}" and "${second}" are not linked.`)
  const insert = prepare(database, linkQuery(link, ...link.nouns))
  for (const pair of rows) {
    insert.run({ first: pair[0], second: pair[1] })
    onRow()
  }
}

/** Indexes and tallies that are dropped and built again in the same transaction. */
class DeferredIndexes {
  readonly #database: DatabaseSync
  #complete: Schema | undefined

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  drop(): void {
    this.#complete = readSchema(this.#database)
    this.#alter((noun, nounWithoutIndexes) => alterNoun(noun, nounWithoutIndexes))
  }

  build(): void {
    this.#alter((noun, nounWithoutIndexes) => alterNoun(nounWithoutIndexes, noun))
  }

  #alter(statementsOf: (noun: NounSchema, nounWithoutIndexes: NounSchema) => readonly string[]): void {
    for (const noun of this.#complete?.nouns ?? [])
      for (const sql of statementsOf(noun, withoutIndexes(noun))) this.#database.exec(sql)
  }
}
