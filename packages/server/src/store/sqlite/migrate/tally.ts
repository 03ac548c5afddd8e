/** The tallies of a noun on SQLite: their table, the triggers that maintain them, and the statements that recount them. */
import { derivedName } from '../../migrate/schema/derived-name.ts'
import { hasGuidIdentity, type NounSchema } from '../../migrate/schema/schema.ts'
import { quotedName, stringLiteral } from '../../sql/sql.ts'
import { blockBits, blockDigits, changeTriggerParts, keyName, keySeparator, type TallyFields } from '../../tally.ts'
import { clearEntryCounts, createEntryCounts, dropEntryCounts, entryTriggers } from './entry-count.ts'

export function tallyTable(noun: string): string {
  return `_tally_${noun}`
}

/** A noun's tallies, counted from its existing records. */
export function createTallies(noun: NounSchema): readonly string[] {
  const { tallies } = noun
  if (noun.blocks) return createEntryCounts(noun)
  if (tallies.length === 0) return []
  return [
    `CREATE TABLE ${quotedName(tallyTable(noun.name))} (
  "key" TEXT NOT NULL,
  "level" INTEGER NOT NULL,
  "block" ${hasGuidIdentity(noun) ? 'TEXT' : 'INTEGER'} NOT NULL,
  "records" INTEGER NOT NULL,
  PRIMARY KEY ("key", "level", "block")
) STRICT, WITHOUT ROWID`,
    ...countRecords(noun),
    ...createTriggers(noun, tallies),
  ]
}

export function dropTallies(noun: NounSchema): readonly string[] {
  const { name, tallies } = noun
  if (noun.blocks) return dropEntryCounts()
  if (tallies.length === 0) return []
  return [
    ...triggerNames(noun).map((trigger) => `DROP TRIGGER IF EXISTS ${quotedName(trigger)}`),
    `DROP TABLE IF EXISTS ${quotedName(tallyTable(name))}`,
  ]
}

/** The triggers that maintain a noun's tallies. */
export function triggerNames(noun: NounSchema): readonly string[] {
  if (noun.blocks) return entryTriggers
  const { tallies } = noun
  const changes = tallies.filter((fields) => fields.length > 0).map(changeTriggerParts)
  return [['insert'], ['delete'], ...changes].map((kind) => triggerName(noun, kind))
}

/** Recounts the records into the existing table. */
export function recountTallies(noun: NounSchema): readonly string[] {
  if (noun.blocks) return clearEntryCounts
  const { name, tallies } = noun
  if (tallies.length === 0) return []
  return [`DELETE FROM ${quotedName(tallyTable(name))}`, ...countRecords(noun)]
}

/** Only the finest level is counted from the records. Each other level is the sum of the one below. */
function countRecords(noun: NounSchema): readonly string[] {
  const table = quotedName(tallyTable(noun.name))
  const finest = noun.tallies.map((fields) => countedRows(noun, fields)[0])
  const sums = higherBlockExpressions(noun).map(
    (block, level) =>
      `SELECT "key" AS k, ${level + 1} AS l, ${block} AS b, sum("records") AS n ` +
      `FROM ${table} WHERE "level" = ${level} GROUP BY k, b`,
  )
  return [...finest, ...sums].map((rows) => `INSERT INTO ${table} SELECT k, l, b, n FROM (${rows})`)
}

/** The rows of a tally, counted from the records, level by level: key, level, block and number. */
export function countedRows(noun: NounSchema, fields: TallyFields): readonly string[] {
  return blockExpressions(noun, quotedName(noun.identity)).map(
    (block, level) =>
      `SELECT ${keyExpression(fields, '')} AS k, ${level} AS l, ${block} AS b, count(*) AS n ` +
      `FROM ${quotedName(noun.name)} GROUP BY k, b`,
  )
}

/** Every change of a record updates the tallies in the same transaction, including changes by other programs. */
function createTriggers(noun: NounSchema, tallies: readonly TallyFields[]): readonly string[] {
  const tallyRows = (sets: readonly TallyFields[], row: string, records: number) =>
    sets.flatMap((fields) =>
      blockExpressions(noun, `${row}.${quotedName(noun.identity)}`).map(
        (block, level) => `    (${keyExpression(fields, `${row}.`)}, ${level}, ${block}, ${records})`,
      ),
    )
  const trigger = (kind: readonly string[], event: string, rows: readonly string[]) =>
    `CREATE TRIGGER ${quotedName(triggerName(noun, kind))} AFTER ${event} BEGIN
  INSERT INTO ${quotedName(tallyTable(noun.name))} VALUES
${rows.join(',\n')}
  ON CONFLICT DO UPDATE SET "records" = "records" + excluded."records";
END`
  const changed = tallies.filter((fields) => fields.length > 0)
  return [
    trigger(['insert'], `INSERT ON ${quotedName(noun.name)}`, tallyRows(tallies, 'NEW', 1)),
    trigger(['delete'], `DELETE ON ${quotedName(noun.name)}`, tallyRows(tallies, 'OLD', -1)),
    ...changed.map((fields) =>
      trigger(
        changeTriggerParts(fields),
        `UPDATE OF ${fields.map(quotedName).join(', ')} ON ${quotedName(noun.name)} WHEN ${isChanged(fields)}`,
        [...tallyRows([fields], 'OLD', -1), ...tallyRows([fields], 'NEW', 1)],
      ),
    ),
  ]
}

function isChanged(fields: TallyFields): string {
  return fields
    .map(quotedName)
    .map((column) => `OLD.${column} IS NOT NEW.${column}`)
    .join(' OR ')
}

function triggerName({ name }: NounSchema, kind: readonly string[]): string {
  return derivedName(['', 'tally', name, ...kind])
}

function blockExpressions(noun: NounSchema, identity: string): readonly string[] {
  return hasGuidIdentity(noun)
    ? blockDigits.map((digits) => `substr(${identity}, 1, ${digits})`)
    : blockBits.map((bits) => `${identity} >> ${bits}`)
}

/** The block of each level but the finest, from the block of the level below. */
function higherBlockExpressions(noun: NounSchema): readonly string[] {
  return hasGuidIdentity(noun)
    ? blockDigits.slice(1).map((digits) => `substr("block", 1, ${digits})`)
    : blockBits.slice(1).map((bits, level) => `"block" >> ${bits - (blockBits[level] ?? 0)}`)
}

/** The result of `tallyKey`, from columns. */
function keyExpression(fields: TallyFields, row: string): string {
  const parts = fields.map(
    (field) => `${stringLiteral(keyName(field))} || coalesce('=' || ${row}${quotedName(field)}, '')`,
  )
  return parts.length === 0 ? "''" : parts.join(` || char(${keySeparator.charCodeAt(0)}) || `)
}
