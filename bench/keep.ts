/** Stores the figures of each database, and writes the tables and charts of all of them. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseKind } from './contender.ts'
import { replacePart } from './markdown.ts'

export interface RenderedFigures {
  /** Markdown. */
  readonly content: string
  /** SVG by the name of its file. */
  readonly charts: Readonly<Record<string, string>>
}

/**
 * Figures replace earlier ones of the same database; without figures, the stored ones are rendered again. Figures that are
 * not stored are written to the folder for temporary files instead of the README.
 */
export function keep<Figures extends { readonly database: DatabaseKind }>(
  name: 'peers' | 'growth',
  figures: Figures | undefined,
  isKept: boolean,
  render: (allFigures: readonly Figures[]) => RenderedFigures,
): void {
  const folder = isKept ? import.meta.dirname : join(tmpdir(), 'nomen-bench-quick')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${name}.json`)
  const earlier: Partial<Record<DatabaseKind, Figures>> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const allStored = figures ? { ...earlier, [figures.database]: figures } : earlier
  const allFigures = Object.values(allStored)
  if (allFigures.length === 0) throw new Error(`${file} contains no figures. Run \`npm run bench:${name}\` first.`)
  const { content, charts } = render(allFigures)
  writeFileSync(file, `${JSON.stringify(allStored, null, 2)}\n`)
  for (const [chart, rendered] of Object.entries(charts)) writeFileSync(join(folder, chart), rendered)
  if (isKept) {
    const readme = join(folder, 'README.md')
    writeFileSync(readme, replacePart(readFileSync(readme, 'utf8'), name, content))
  }
  console.log(`${content}\n\nWritten to ${folder}.`)
}
