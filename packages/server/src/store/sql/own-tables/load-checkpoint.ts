/** The progress of loads, stored next to the records, for rows that cannot be distinguished from new ones. */
import { type BulkTarget, type Checkpoint, FileBusy, type LoadProgress } from '../../bulk/bulk.ts'
import { slot } from '../fragment.ts'
import { sql } from '../sql.ts'
import type { OwnTableDialect, OwnTableWork } from './dialect.ts'
import { loadOpenTable } from './table.ts'

/** The input of the statements. */
interface Input {
  readonly noun: string
  readonly fingerprint: string
  readonly from: number
  readonly to: number
  readonly moment: string
  readonly lines: readonly number[]
}

const bound = (name: keyof Input) => slot<Input>((input) => input[name])
const isFile = sql`"noun" = ${bound('noun')} and "fingerprint" = ${bound('fingerprint')}`

const begin = sql`insert into "_load" ("noun", "fingerprint", "line", "moment")
values (${bound('noun')}, ${bound('fingerprint')}, ${bound('to')}, ${bound('moment')})
on conflict do nothing
returning "line"`

const move = sql`update "_load"
set "line" = ${bound('to')}, "moment" = ${bound('moment')}
where ${isFile} and "line" = ${bound('from')}
returning "line"`

const linesBetween = sql`select "line"
from "_load_open"
where ${isFile} and "line" between ${bound('from')} and ${bound('to')}`

const forgetFile = ['_load', '_load_open'].map((table) => sql`delete from ${sql.table(table)} where ${isFile}`)

export interface LoadCheckpoints {
  /** Runs within a transaction. Two processes that load the same file would load it twice: the second one is stopped. */
  keep(progress: LoadProgress): OwnTableWork<void>
  find(fingerprint: string): OwnTableWork<Checkpoint | undefined>
  openLines(fingerprint: string, from: number, to: number): OwnTableWork<ReadonlySet<number>>
  forget(fingerprint: string): OwnTableWork<void>
}

/** The checkpoints of files that are loaded into one noun or link. */
export function loadCheckpoints({ jsonRows, timeText }: OwnTableDialect, target: BulkTarget): LoadCheckpoints {
  const { name } = 'stored' in target ? target.stored.noun : target.link
  const json = ({ noun, fingerprint, lines }: Input) =>
    JSON.stringify(lines.map((line) => ({ noun, fingerprint, line })))
  const lines = jsonRows(slot<Input>(json), loadOpenTable.key)
  const find = sql`select "line", ${timeText(sql`"moment"`, 'timestamptz(3)')} from "_load" where ${isFile}`
  const open = sql`insert into "_load_open" ("noun", "fingerprint", "line")
select "noun", "fingerprint", "line"
from ${lines}
where true
on conflict do nothing`
  const close = sql`delete from "_load_open" where ${isFile} and "line" in (select "line" from ${lines})`
  return {
    *keep({ openLines, closedLines, ...progress }) {
      const input = { ...progress, noun: name, moment: new Date().toISOString() }
      const updated = yield { statement: progress.from === 0 ? begin : move, input }
      if (updated.length === 0) throw new FileBusy('Another process is loading this file.')
      if (openLines.length > 0) yield { statement: open, input: { ...input, lines: openLines } }
      if (closedLines.length > 0) yield { statement: close, input: { ...input, lines: closedLines } }
    },
    *find(fingerprint) {
      const [row] = yield { statement: find, input: { noun: name, fingerprint } }
      return row && { line: Number(row[0]), time: `${row[1]}` }
    },
    *openLines(fingerprint, from, to) {
      const rows = yield { statement: linesBetween, input: { noun: name, fingerprint, from, to } }
      return new Set(rows.map(([line]) => Number(line)))
    },
    *forget(fingerprint) {
      for (const statement of forgetFile) yield { statement, input: { noun: name, fingerprint } }
    },
  }
}
