/** Keeps figures, and writes the tables and the charts that are made of them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { DatabaseKind } from '../contender.ts'
import { replacePart } from '../markdown.ts'
import { peerChart } from './chart.ts'
import type { PeerFigures } from './figures.ts'
import { peerTables } from './table.ts'

type Kept = Partial<Record<DatabaseKind, PeerFigures>>

const bench = dirname(import.meta.dirname)
const charts = { sqlite: 'peers.svg', postgres: 'peers-postgres.svg' }

/**
 * Figures of a database take the place of earlier ones of the same; without figures, what was kept is drawn again.
 * What is not to be kept goes into the folder for temporary files instead of the README.
 */
export function draw(figures: PeerFigures | undefined, isKept: boolean): void {
  const folder = isKept ? bench : join(tmpdir(), 'nomen-bench-peers')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'peers.json')
  const earlier: Kept = existsSync(file) && (isKept || !figures) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const kept: Kept = figures ? { ...earlier, [figures.database]: figures } : earlier
  const all = Object.values(kept)
  if (all.length === 0) throw new Error(`There are no figures in ${file} yet. Run \`npm run bench:peers\` first.`)
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`)
  for (const one of all) writeFileSync(join(folder, charts[one.database]), peerChart(one))
  const content = all.map((one) => peerTables(one, charts[one.database])).join('\n\n')
  if (isKept) {
    const readme = join(bench, 'README.md')
    writeFileSync(readme, replacePart(readFileSync(readme, 'utf8'), 'peers', content))
  }
  console.log(`${content}\n\nWritten into ${folder}.`)
}
