/** Compares the tallies of an SQLite file with its records, and recounts them if they differ. */
import type { DatabaseSync } from 'node:sqlite'
import { schemaMismatchError } from '../../migrate/error.ts'
import { expansionOf, missingChanges } from '../../migrate/expand/expansion.ts'
import { isCorrect, type MiscountRow, miscountOf, type NounCount, talliedNouns } from '../../migrate/recount.ts'
import { schemaOf } from '../../migrate/schema/model-schema.ts'
import { declaredName, type NounSchema } from '../../migrate/schema/schema.ts'
import type { Model } from '../../model.ts'
import { entryCountTable } from '../../sql/entry-count/entry-count.ts'
import { entryMiscountQuery } from '../../sql/entry-count/miscounts.ts'
import { quotedName } from '../../sql/sql.ts'
import { topLevel } from '../../tally.ts'
import { openDatabase } from '../open-database.ts'
import { inTransaction, withWriteLock } from './connection.ts'
import { readSchema } from './snapshot.ts'
import { countedRows, createTallies, dropTallies, recountTallies, tallyTable, triggerNames } from './tally.ts'

export function recountFile(path: string, model: Model, mode: 'check' | 'fix'): readonly NounCount[] {
  const database = openDatabase(path)
  try {
    const counts = inTransaction(database, 'BEGIN', () => countsIn(database, nounsIn(database, model)))
    if (mode === 'check' || counts.every(isCorrect)) return counts
    return withWriteLock(database, () => fixTallies(database, nounsIn(database, model)))
  } finally {
    database.close()
  }
}

function nounsIn(database: DatabaseSync, model: Model): readonly NounSchema[] {
  const [before, declared] = [readSchema(database), schemaOf(model)]
  if (missingChanges(before, declared, false).length > 0) throw schemaMismatchError()
  return talliedNouns(expansionOf(before, declared, false).schema)
}

function countsIn(database: DatabaseSync, nouns: readonly NounSchema[]): readonly NounCount[] {
  return nouns.map((noun) => countOf(database, noun))
}

/** Counts again under the write lock: only these counts are fixed. */
function fixTallies(database: DatabaseSync, nouns: readonly NounSchema[]): readonly NounCount[] {
  const counts = countsIn(database, nouns)
  for (const [index, count] of counts.entries()) {
    const noun = nouns[index]
    if (!noun || isCorrect(count)) continue
    const isComplete = count.missing.length === 0
    const statements = isComplete ? recountTallies(noun) : [...dropTallies(noun), ...createTallies(noun)]
    for (const statement of statements) database.exec(statement)
  }
  return counts
}

function countOf(database: DatabaseSync, noun: NounSchema): NounCount {
  const names = database.prepare("SELECT name FROM sqlite_schema WHERE type IN ('table', 'trigger')").all()
  const existing = new Set(names.map(({ name }) => `${name}`))
  const table = noun.blocks ? entryCountTable.name : tallyTable(noun.name)
  const query = noun.blocks ? entryMiscountQuery(noun, false) : miscountQuery(noun)
  const number = database.prepare(`SELECT count(*) AS number FROM ${quotedName(noun.name)}`).get()?.number
  const miscounts = existing.has(table) ? database.prepare(query).all() : []
  return {
    noun: declaredName(noun),
    numberOfRecords: Number(number),
    miscounts: miscounts.map((row) => miscountOf(noun, row as unknown as MiscountRow)),
    missing: [table, ...triggerNames(noun)].filter((name) => !existing.has(name)),
  }
}

/** Keys whose rows differ from the records, with both totals and the number of rows that differ. */
function miscountQuery(noun: NounSchema): string {
  const { name, tallies } = noun
  const counted = tallies
    .flatMap((fields) => countedRows(noun, fields))
    .map((rows) => `SELECT k, l, b, 0, n FROM (${rows})`)
  const stored = `SELECT "key" AS k, "level" AS l, "block" AS b, "records" AS stored, 0 AS counted
FROM ${quotedName(tallyTable(name))}`
  const total = (column: string) => `coalesce(sum(${column}) FILTER (WHERE l = ${topLevel}), 0)`
  return `SELECT k AS "key", ${total('stored')} AS stored, ${total('counted')} AS counted,
  count(*) FILTER (WHERE stored <> counted) AS differences
FROM (
  SELECT k, l, b, sum(stored) AS stored, sum(counted) AS counted
  FROM (${[stored, ...counted].join(' UNION ALL ')})
  GROUP BY k, l, b
)
GROUP BY k
HAVING count(*) FILTER (WHERE stored <> counted) > 0
ORDER BY k`
}
