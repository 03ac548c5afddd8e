/** Compares the stored numbers of history entries with the entries. */

import type { NounSchema } from '../../migrate/schema/schema.ts'
import { quotedName } from '../sql.ts'
import { blockBits, blockLevel, entryCountTable, entryDeltaTable, groupBits, groupLevel } from './entry-count.ts'

/** The query for nouns whose numbers are wrong, as rows of `MiscountRow`. Only counted blocks and complete groups are compared. */
export function entryMiscountQuery({ name, identity }: NounSchema, hasDeltas: boolean): string {
  const [counts, deltas] = [quotedName(entryCountTable.name), quotedName(entryDeltaTable)]
  const shift = groupBits - blockBits
  const levels = [
    { level: blockLevel, bits: blockBits, next: '"next"' },
    { level: groupLevel, bits: groupBits, next: `("next" >> ${shift})` },
  ]
  const counted = levels.flatMap(({ level, bits, next }) =>
    ['"noun"', `''`].map(
      (noun) => `select ${level}, ${quotedName(identity)} >> ${bits}, ${noun}, 0, 1
from ${quotedName(name)}, _next
where ${quotedName(identity)} >> ${bits} < ${next}`,
    ),
  )
  const changed = levels.map(
    ({ level, bits, next }) => `select ${level}, "block" >> ${bits - blockBits}, "noun", "entries", 0
from ${deltas}, _next
where "block" >> ${bits - blockBits} < ${next}`,
  )
  return `with _next as (select coalesce(max("block") + 1, 0) as "next" from ${counts} where "level" = ${blockLevel}),
_number ("level", "block", "noun", "stored", "counted") as (
select "level", "block", "noun", "entries", 0 from ${counts}
union all
${[...counted, ...(hasDeltas ? changed : [])].join('\nunion all\n')}
), _sum as (
  select "level", "noun", sum("stored") as "stored", sum("counted") as "counted"
  from _number
  group by "level", "block", "noun"
)
select case "noun" when '' then '' else 'noun=' || "noun" end as "key",
  coalesce(sum("stored") filter (where "level" = ${blockLevel}), 0) as "stored",
  coalesce(sum("counted") filter (where "level" = ${blockLevel}), 0) as "counted",
  count(*) filter (where "stored" <> "counted") as "differences"
from _sum
group by "noun"
having count(*) filter (where "stored" <> "counted") > 0
order by "noun"`
}
