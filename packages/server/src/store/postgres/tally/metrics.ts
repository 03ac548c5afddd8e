/** Metrics of the tallies: deltas that wait for the compaction, and its results. */
import type { MetricRegistry } from '../../../observe/metrics/registry.ts'
import type { Model } from '../../model.ts'
import { sql } from '../../sql/sql.ts'
import { tableName } from '../../stored-name.ts'
import type { PostgresDatabase } from '../connect/database.ts'
import { postgresName } from '../name.ts'
import { compile } from '../statement.ts'
import type { TallyCompactor } from './compactor.ts'
import { deltaTable } from './name.ts'

/** Estimates of the server, which do not read the tables. */
const deltaCounts = compile<undefined>(
  sql`select relname, n_live_tup, n_dead_tup
from pg_stat_user_tables
where schemaname = current_schema()
  and relname like '\\_tally\\_%'`,
)

export function measureTallies(
  registry: MetricRegistry,
  database: PostgresDatabase,
  compactor: TallyCompactor,
  { nouns }: Model,
): void {
  const names = new Map(
    [...nouns.values()]
      .filter(({ tallies }) => tallies.length > 0)
      .map(({ noun }) => [postgresName(deltaTable(tableName(noun))), noun.name]),
  )
  registry.add(
    'nomen_tally_deltas',
    'Estimated changes of totals that lists must add: live rows, and dead rows that an old transaction still holds.',
    'gauge',
    async () => {
      const rows = await database.readShort(deltaCounts, undefined)
      return rows.flatMap(([table, live, dead]) => {
        const noun = names.get(`${table}`)
        if (noun === undefined) return []
        return [
          { labels: { noun, state: 'live' }, value: Number(live) },
          { labels: { noun, state: 'dead' }, value: Number(dead) },
        ]
      })
    },
  )
  registry.addValue(
    'nomen_tally_compacted_deltas_total',
    'Changes of totals that this process has compacted.',
    'counter',
    () => compactor.figures.compacted,
  )
  registry.addValue(
    'nomen_tally_compaction_failures_total',
    'Compactions of totals that failed.',
    'counter',
    () => compactor.figures.failures,
  )
}
