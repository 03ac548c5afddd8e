/** The stored numbers of history entries on SQLite: their table, and the triggers that subtract deleted entries. */
import { change } from '@nomen/core'
import type { NounSchema } from '../../migrate/schema/schema.ts'
import {
  allNouns,
  blockBits,
  blockLevel,
  entryCountTable,
  groupBits,
  groupLevel,
} from '../../sql/entry-count/entry-count.ts'
import { createTables } from '../../sql/own-tables/table.ts'
import { quotedName, stringLiteral } from '../../sql/sql.ts'
import { columnName } from '../../stored-name.ts'
import { sqliteOwnTables } from '../own-tables.ts'

const counts = quotedName(entryCountTable.name)
const noun = quotedName(columnName(change, 'noun'))
/** The names of the triggers. */
export const entryTriggers = ['delete', 'noun'].map((name) => `${entryCountTable.name}_${name}`)

const [deleteTrigger, nounTrigger] = entryTriggers.map(quotedName)

/** A noun is changed when a table of the same name replaces that of a dropped noun. */
export function createEntryCounts({ name, identity }: NounSchema): readonly string[] {
  const block = (row: 'OLD' | 'NEW') => {
    const id = `${row}.${quotedName(identity)}`
    const levels = [
      [blockLevel, blockBits],
      [groupLevel, groupBits],
    ]
    return `(${levels.map(([level, bits]) => `"level" = ${level} AND "block" = ${id} >> ${bits}`).join(' OR ')})`
  }
  const all = stringLiteral(allNouns)
  return [
    ...createTables(sqliteOwnTables, [entryCountTable]),
    `CREATE TRIGGER ${deleteTrigger} AFTER DELETE ON ${quotedName(name)} BEGIN
  UPDATE ${counts} SET "entries" = "entries" - 1 WHERE ${block('OLD')} AND "noun" IN (OLD.${noun}, ${all});
END`,
    `CREATE TRIGGER ${nounTrigger} AFTER UPDATE OF ${noun} ON ${quotedName(name)} WHEN OLD.${noun} <> NEW.${noun} BEGIN
  UPDATE ${counts} SET "entries" = "entries" - 1 WHERE ${block('OLD')} AND "noun" = OLD.${noun};
  INSERT INTO ${counts} SELECT "level", "block", NEW.${noun}, 1 FROM ${counts} WHERE ${block('NEW')} AND "noun" = ${all}
  ON CONFLICT DO UPDATE SET "entries" = "entries" + 1;
END`,
  ]
}

/** The service counts all entries again. */
export const clearEntryCounts = [`DELETE FROM ${counts}`]

export function dropEntryCounts(): readonly string[] {
  return [
    `DROP TRIGGER IF EXISTS ${deleteTrigger}`,
    `DROP TRIGGER IF EXISTS ${nounTrigger}`,
    `DROP TABLE IF EXISTS ${counts}`,
  ]
}
